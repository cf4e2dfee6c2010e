package dev.blockscope.onnx;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * Memory off the heap that the runs of one model use one after the other. New memory is cleared by
 * Java, comes from the system page by page and is given back by the collector; in short runs that
 * takes longer than all copies do.
 *
 * <p>Safe for use by several threads.
 */
final class Buffers {
    private long most;
    private final Map<Integer, Deque<ByteBuffer>> unused = new HashMap<>();
    private long kept;

    /**
     * Has none yet.
     *
     * @param most how many bytes to keep while nobody uses them
     */
    Buffers(long most) {
        this.most = most;
    }

    /** Returns memory of a size in native byte order, with anything in it. */
    synchronized ByteBuffer take(int bytes) {
        Deque<ByteBuffer> fitting = unused.get(bytes);
        if (fitting == null || fitting.isEmpty()) {
            return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
        }
        kept -= bytes;
        return fitting.pop();
    }

    /** Takes memory back that nobody uses any more. */
    synchronized void giveBack(ByteBuffer memory) {
        int bytes = memory.capacity();
        if (kept + bytes > most) {
            // Inputs of other sizes have come: those of the sizes before would stay for ever.
            unused.clear();
            kept = 0;
        }
        if (bytes <= most) {
            unused.computeIfAbsent(bytes, _ -> new ArrayDeque<>()).push(memory);
            kept += bytes;
        }
    }

    /** Keeps none from now on. */
    synchronized void close() {
        most = 0;
        unused.clear();
        kept = 0;
    }

    /** Returns how many bytes are kept that nobody uses. */
    synchronized long kept() {
        return kept;
    }
}
