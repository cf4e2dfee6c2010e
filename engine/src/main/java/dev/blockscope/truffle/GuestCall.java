package dev.blockscope.truffle;

import org.jspecify.annotations.Nullable;

/** Guest code that the host has called outside of any run: a function, or a getter it reads. */
public final class GuestCall extends Stoppable {
    /**
     * Prepares to follow a call.
     *
     * @param context the context it will be made in
     */
    public GuestCall(GuestContext context, @Nullable Meter meter) {
        super(context, meter);
    }
}
