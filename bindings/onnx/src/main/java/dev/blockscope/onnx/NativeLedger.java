package dev.blockscope.onnx;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * What one model holds outside the Java heap: counted, so that tests can see that nothing stays,
 * and the memory that its runs use one after the other.
 */
final class NativeLedger {
    private final AtomicInteger sessions = new AtomicInteger();
    private final AtomicInteger values = new AtomicInteger();

    /** As much as two dozen edits of a text of a hundred tokens take in a small model. */
    private final Buffers buffers = new Buffers(16L << 20);

    Buffers buffers() {
        return buffers;
    }

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
