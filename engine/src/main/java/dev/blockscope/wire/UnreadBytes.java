package dev.blockscope.wire;

import java.io.InputStream;

/** So many bytes, for who does not look at them. */
final class UnreadBytes extends InputStream {
    private int left;

    UnreadBytes(int size) {
        left = size;
    }

    @Override
    public int read() {
        return read(new byte[1], 0, 1) < 0 ? -1 : 0;
    }

    @Override
    public int read(byte[] into, int from, int most) {
        int some = Math.min(most, left);
        left -= some;
        return some > 0 || most == 0 ? some : -1;
    }
}
