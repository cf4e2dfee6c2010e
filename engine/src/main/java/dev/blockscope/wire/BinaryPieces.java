package dev.blockscope.wire;

import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes a binary value from a parser of an array: as views of that array, so that nothing is copied
 * that comes in one piece, as all does but what another program may write.
 */
final class BinaryPieces extends OutputStream {
    private final List<ByteBuffer> pieces = new ArrayList<>(1);

    @Override
    public void write(int one) {
        write(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) {
        pieces.add(ByteBuffer.wrap(bytes, from, count).slice());
    }

    /** Returns all that was taken. */
    ByteBuffer joined() {
        if (pieces.size() == 1) {
            return pieces.getFirst();
        }
        ByteBuffer all = ByteBuffer.allocate(pieces.stream().mapToInt(ByteBuffer::remaining).sum());
        pieces.forEach(all::put);
        return all.flip();
    }
}
