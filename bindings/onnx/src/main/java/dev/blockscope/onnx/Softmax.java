package dev.blockscope.onnx;

/** Turns numbers along a dimension into shares that are positive and sum to 1. */
final class Softmax {
    private Softmax() {}

    /** Returns the shares. */
    static Tensor of(Tensor tensor, long dim) {
        return rows(tensor, dim, false);
    }

    /** Returns the logarithms of the shares. */
    static Tensor logarithmOf(Tensor tensor, long dim) {
        return rows(tensor, dim, true);
    }

    private static Tensor rows(Tensor tensor, long dim, boolean logarithm) {
        int axis = tensor.dim() == 0 ? 0 : tensor.layout().axis(dim);
        DType type = Promotion.floating(tensor.dtype());
        Tensor result = new Tensor(type, Layout.rowMajor(tensor.shape()));
        Layout from = tensor.dim() == 0 ? tensor.layout() : tensor.layout().lastly(axis);
        Layout to = tensor.dim() == 0 ? result.layout() : result.layout().lastly(axis);
        Lane in = Lane.of(tensor, from);
        Lane out = Lane.of(result, to);
        double[] row = new double[tensor.dim() == 0 ? 1 : tensor.layout().dim(axis)];
        Rows.walk(
                (starts, count) -> {
                    in.read(starts[0], count, row);
                    if (logarithm) {
                        shareLogarithms(row);
                    } else {
                        share(row);
                    }
                    out.write(starts[1], count, row);
                },
                from,
                to);
        return result;
    }

    /** The largest is taken away first, so that no exponential overflows. */
    private static void share(double[] row) {
        double largest = largest(row);
        double sum = 0;
        for (int i = 0; i < row.length; i++) {
            row[i] = Math.exp(row[i] - largest);
            sum += row[i];
        }
        for (int i = 0; i < row.length; i++) {
            row[i] /= sum;
        }
    }

    private static void shareLogarithms(double[] row) {
        double largest = largest(row);
        double sum = 0;
        for (double x : row) {
            sum += Math.exp(x - largest);
        }
        double whole = largest + Math.log(sum);
        for (int i = 0; i < row.length; i++) {
            row[i] -= whole;
        }
    }

    private static double largest(double[] row) {
        double largest = Double.NEGATIVE_INFINITY;
        for (double x : row) {
            largest = Math.max(largest, x);
        }
        return largest;
    }
}
