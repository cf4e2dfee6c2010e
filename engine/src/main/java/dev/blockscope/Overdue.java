package dev.blockscope;

import java.util.concurrent.atomic.AtomicInteger;

/** The runs of an engine that were stopped and are not home yet. */
final class Overdue {
    private final AtomicInteger runs = new AtomicInteger();

    void begins() {
        runs.incrementAndGet();
    }

    void ended() {
        runs.decrementAndGet();
    }

    int count() {
        return runs.get();
    }
}
