package dev.blockscope.onnx;

import java.util.Arrays;

/** Products of matrices, vectors and batches of matrices, by the rules of {@code torch.matmul}. */
final class MatrixProduct {
    /** So many rows of the right matrix are taken out at once. */
    private static final int BLOCK = 64;

    private final Tensor left;
    private final Tensor right;
    private final Tensor out;

    private MatrixProduct(Tensor left, Tensor right, Tensor out) {
        this.left = left;
        this.right = right;
        this.out = out;
    }

    static Tensor of(Tensor a, Tensor b) {
        requireFractions(a);
        requireFractions(b);
        Layout la = a.layout().rank() == 1 ? a.layout().unsqueeze(0) : a.layout();
        Layout lb = b.layout().rank() == 1 ? b.layout().unsqueeze(1) : b.layout();
        if (la.rank() < 2 || lb.rank() < 2 || la.dim(la.rank() - 1) != lb.dim(lb.rank() - 2)) {
            throw new IllegalArgumentException(
                    "shapes %s and %s cannot be multiplied as matrices: the last size of the first must equal the last but one of the second"
                            .formatted(a.layout(), b.layout()));
        }
        Layout batch = Broadcast.of(batch(la), batch(lb));
        Tensor result = new Tensor(Promotion.of(a, b), matrices(batch, la, lb));
        new MatrixProduct(a, b, result)
                .multiply(
                        Broadcast.to(la, matrices(batch, la, la)),
                        Broadcast.to(lb, matrices(batch, lb, lb)),
                        result.layout());
        return result.view(dropAdded(a, b, result.layout()));
    }

    private static void requireFractions(Tensor tensor) {
        if (!tensor.dtype().isFloatingPoint()) {
            throw new IllegalArgumentException(
                    "matmul needs floating-point numbers, this is %s %s; convert it with to(\"float32\")"
                            .formatted(tensor.dtype(), tensor.layout()));
        }
    }

    private static Layout batch(Layout matrices) {
        return matrices.dims(0, matrices.rank() - 2);
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
            multiplyMatrices(a, b, c);
            return;
        }
        for (int i = 0; i < c.dim(0); i++) {
            multiply(a.select(0, i), b.select(0, i), c.select(0, i));
        }
    }

    private void multiplyMatrices(Layout a, Layout b, Layout c) {
        int columns = c.dim(1);
        double[][] sums = new double[c.dim(0)][columns];
        double[][] rows = new double[Math.min(BLOCK, b.dim(0))][columns];
        double[] factors = new double[BLOCK];
        Lane inA = Lane.of(left, a);
        Lane inB = Lane.of(right, b);
        for (int k = 0; k < b.dim(0); k += BLOCK) {
            int count = Math.min(BLOCK, b.dim(0) - k);
            for (int i = 0; i < count; i++) {
                inB.read(b.offset() + (k + i) * b.stride(0), columns, rows[i]);
            }
            for (int i = 0; i < sums.length; i++) {
                inA.read(a.offset() + i * a.stride(0) + k * a.stride(1), count, factors);
                addProducts(factors, rows, count, sums[i]);
            }
        }
        Lane inC = Lane.of(out, c);
        for (int i = 0; i < sums.length; i++) {
            inC.write(c.offset() + i * c.stride(0), columns, sums[i]);
        }
    }

    private static void addProducts(double[] factors, double[][] rows, int count, double[] sums) {
        for (int k = 0; k < count; k++) {
            double factor = factors[k];
            double[] row = rows[k];
            for (int j = 0; j < sums.length; j++) {
                sums[j] += factor * row[j];
            }
        }
    }
}
