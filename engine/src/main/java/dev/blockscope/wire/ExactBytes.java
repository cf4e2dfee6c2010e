package dev.blockscope.wire;

import java.io.ByteArrayOutputStream;

/** Takes bytes, of which somebody has said how many there will be. It may turn out otherwise. */
final class ExactBytes extends ByteArrayOutputStream {
    ExactBytes(int size) {
        super(size);
    }

    /** Returns what was written, without copying it if it is as much as was said. */
    @Override
    public synchronized byte[] toByteArray() {
        return count == buf.length ? buf : super.toByteArray();
    }
}
