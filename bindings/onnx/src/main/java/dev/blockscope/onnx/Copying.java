package dev.blockscope.onnx;

import java.nio.ByteBuffer;

/** Copies elements of one type between storages, whole rows at once where they are contiguous. */
final class Copying {
    private Copying() {}

    /** Copies {@code source}, seen through {@code from}, into {@code target} of that shape. */
    static void copy(Tensor source, Layout from, Tensor target) {
        int width = source.dtype().bytes();
        Layout[] rows = Rows.merge(from, target.layout());
        int stepFrom = Rows.step(rows[0]) * width;
        int stepTo = Rows.step(rows[1]) * width;
        boolean contiguous = stepFrom == width && stepTo == width;
        ByteBuffer in = source.storage().bytes();
        ByteBuffer out = target.storage().bytes();
        Rows.walk(
                (starts, count) -> {
                    int read = starts[0] * width;
                    int write = starts[1] * width;
                    if (contiguous) {
                        out.put(write, in, read, count * width);
                        return;
                    }
                    for (int i = 0; i < count; i++) {
                        out.put(write + i * stepTo, in, read + i * stepFrom, width);
                    }
                },
                rows);
    }
}
