package dev.blockscope.onnx;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts what one model holds outside the Java heap, so that tests can see that nothing stays. */
final class NativeLedger {
    private final AtomicInteger sessions = new AtomicInteger();
    private final AtomicInteger values = new AtomicInteger();

    void sessionOpened() {
        sessions.incrementAndGet();
    }

    void sessionClosed() {
        sessions.decrementAndGet();
    }

    void valueOpened() {
        values.incrementAndGet();
    }

    void valueClosed() {
        values.decrementAndGet();
    }

    /** Returns how many sessions are open. */
    int sessions() {
        return sessions.get();
    }

    /** Returns how many tensors of the runtime are open. */
    int values() {
        return values.get();
    }
}
