package dev.blockscope;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/** The memory that a thread has ever taken from the heap, as the JVM counts it. */
final class Allocation {
    private static final @Nullable ThreadMXBean THREADS = threads();

    private Allocation() {}

    /** Returns the bytes, or 0 where the JVM does not count them. */
    static long of(Thread thread) {
        return THREADS == null
                ? 0
                : Math.max(0, THREADS.getThreadAllocatedBytes(thread.threadId()));
    }

    private static @Nullable ThreadMXBean threads() {
        return ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads
                        && threads.isThreadAllocatedMemorySupported()
                        && threads.isThreadAllocatedMemoryEnabled()
                ? threads
                : null;
    }
}
