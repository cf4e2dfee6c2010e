package dev.blockscope.truffle;

import com.oracle.truffle.api.TruffleContext;

/** A guest context, as the machinery knows it; opaque to everyone else. */
public final class GuestContext {
    private final TruffleContext context;

    GuestContext(TruffleContext context) {
        this.context = context;
    }

    TruffleContext context() {
        return context;
    }
}
