package dev.blockscope.onnx;

/** Turns numbers along a dimension into shares that are positive and sum to 1. */
final class Softmax {
    private Softmax() {}

    static Tensor of(Tensor tensor, long dim) {
        Arithmetic.requireNumbers(tensor);
        int axis = tensor.layout().axis(dim);
        Tensor result = new Tensor(DType.FLOAT32, Layout.rowMajor(tensor.shape()));
        Layout from = tensor.layout().lastly(axis);
        Layout to = result.layout().lastly(axis);
        int stepFrom = Rows.step(from);
        int stepTo = Rows.step(to);
        Rows.walk(
                (starts, count) -> {
                    double[] row = new double[count];
                    for (int i = 0; i < count; i++) {
                        row[i] = tensor.storage().get(starts[0] + i * stepFrom);
                    }
                    share(row);
                    for (int i = 0; i < count; i++) {
                        result.storage().set(starts[1] + i * stepTo, row[i]);
                    }
                },
                from,
                to);
        return result;
    }

    /** The largest is taken away first, so that no exponential overflows. */
    private static void share(double[] row) {
        double largest = Double.NEGATIVE_INFINITY;
        for (double x : row) {
            largest = Math.max(largest, x);
        }
        double sum = 0;
        for (int i = 0; i < row.length; i++) {
            row[i] = Math.exp(row[i] - largest);
            sum += row[i];
        }
        for (int i = 0; i < row.length; i++) {
            row[i] /= sum;
        }
    }
}
