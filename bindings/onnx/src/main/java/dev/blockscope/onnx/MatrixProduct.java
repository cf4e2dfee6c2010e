package dev.blockscope.onnx;

import java.nio.FloatBuffer;
import java.util.Arrays;

/** Products of matrices, vectors and batches of matrices, by the rules of {@code torch.matmul}. */
final class MatrixProduct {
    private final FloatBuffer left;
    private final FloatBuffer right;
    private final FloatBuffer out;

    private MatrixProduct(Tensor left, Tensor right, Tensor out) {
        this.left = left.storage().bytes().asFloatBuffer();
        this.right = right.storage().bytes().asFloatBuffer();
        this.out = out.storage().bytes().asFloatBuffer();
    }

    static Tensor of(Tensor a, Tensor b) {
        requireFloats(a);
        requireFloats(b);
        Layout la = a.layout().rank() == 1 ? a.layout().unsqueeze(0) : a.layout();
        Layout lb = b.layout().rank() == 1 ? b.layout().unsqueeze(1) : b.layout();
        if (la.rank() < 2 || lb.rank() < 2 || la.dim(la.rank() - 1) != lb.dim(lb.rank() - 2)) {
            throw new IllegalArgumentException(
                    "shapes %s and %s cannot be multiplied as matrices: the last size of the first must equal the last but one of the second"
                            .formatted(a.layout(), b.layout()));
        }
        Layout batch = Layout.broadcast(batch(la), batch(lb));
        Tensor result = new Tensor(DType.FLOAT32, matrices(batch, la, lb));
        new MatrixProduct(a, b, result)
                .multiply(
                        la.broadcastTo(matrices(batch, la, la)),
                        lb.broadcastTo(matrices(batch, lb, lb)),
                        result.layout());
        return result.view(dropAdded(a, b, result.layout()));
    }

    private static void requireFloats(Tensor tensor) {
        if (tensor.dtype() != DType.FLOAT32) {
            throw new IllegalArgumentException(
                    "matmul needs float32, this is %s %s; convert it with to(\"float32\")"
                            .formatted(tensor.dtype(), tensor.layout()));
        }
    }

    private static Layout batch(Layout matrices) {
        return Layout.rowMajor(Arrays.copyOf(matrices.shape(), matrices.rank() - 2));
    }

    /** A batch of matrices with the rows of one and the columns of another. */
    private static Layout matrices(Layout batch, Layout rows, Layout columns) {
        long[] shape = Arrays.copyOf(batch.shape(), batch.rank() + 2);
        shape[batch.rank()] = rows.dim(rows.rank() - 2);
        shape[batch.rank() + 1] = columns.dim(columns.rank() - 1);
        return Layout.rowMajor(shape);
    }

    private static Layout dropAdded(Tensor a, Tensor b, Layout result) {
        Layout dropped = a.layout().rank() == 1 ? result.select(-2, 0) : result;
        return b.layout().rank() == 1 ? dropped.select(-1, 0) : dropped;
    }

    private void multiply(Layout a, Layout b, Layout c) {
        if (c.rank() == 2) {
            float[] row = new float[c.dim(1)];
            for (int i = 0; i < c.dim(0); i++) {
                multiplyRow(a, a.offset() + i * a.stride(0), b, row);
                out.put(c.offset() + i * c.stride(0), row);
            }
            return;
        }
        for (int i = 0; i < c.dim(0); i++) {
            multiply(a.select(0, i), b.select(0, i), c.select(0, i));
        }
    }

    private void multiplyRow(Layout a, int start, Layout b, float[] row) {
        Arrays.fill(row, 0);
        for (int k = 0; k < b.dim(0); k++) {
            float factor = left.get(start + k * a.stride(1));
            int column = b.offset() + k * b.stride(0);
            for (int j = 0; j < row.length; j++) {
                row[j] += factor * right.get(column + j * b.stride(1));
            }
        }
    }
}
