package dev.blockscope.wire;

import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes bytes, of which nobody knows how many there will be. They are kept in pieces and put
 * together once: an array that grows would be copied each time, and what is large here are tensors.
 */
final class PiecedBytes extends OutputStream {
    private static final int SMALLEST = 1 << 10;
    private static final int LARGEST = 1 << 20;

    private final List<byte[]> full = new ArrayList<>();
    private byte[] piece = new byte[SMALLEST];
    private int used;
    private int size;

    @Override
    public void write(int one) {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) {
        int end = Math.addExact(size, count);
        int here = Math.min(count, piece.length - used);
        System.arraycopy(bytes, from, piece, used, here);
        used += here;
        int left = count - here;
        if (left > 0) {
            full.add(piece);
            piece = new byte[Math.max(left, Math.min(LARGEST, end))];
            System.arraycopy(bytes, from + here, piece, 0, left);
            used = left;
        }
        size = end;
    }

    /** Returns all that was written. */
    byte[] toByteArray() {
        byte[] all = new byte[size];
        int at = 0;
        for (byte[] each : full) {
            System.arraycopy(each, 0, all, at, each.length);
            at += each.length;
        }
        System.arraycopy(piece, 0, all, at, used);
        return all;
    }
}
