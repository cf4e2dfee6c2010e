package dev.blockscope;

import java.util.Optional;

/** The globals that bind nothing. */
enum NoGlobals implements Globals {
    INSTANCE;

    @Override
    public Optional<Binding> find(String name) {
        return Optional.empty();
    }
}
