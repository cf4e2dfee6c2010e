package dev.blockscope.onnx;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Prints a tensor as its type and its first elements. */
final class TensorText {
    private static final int SHOWN = 6;

    private TensorText() {}

    static String of(Tensor tensor) {
        Loan loan = tensor.loan();
        if (loan != null && loan.isOver()) {
            return "Tensor %s %s of \"%s\", whose run is over"
                    .formatted(tensor.dtype(), tensor.layout(), loan.point());
        }
        List<String> shown = new ArrayList<>();
        Storage storage = tensor.storage();
        int step = Rows.step(tensor.layout());
        Rows.walk(
                (starts, count) -> {
                    for (int i = 0; i < count && shown.size() < SHOWN; i++) {
                        shown.add(element(storage, starts[0] + i * step));
                    }
                },
                tensor.layout());
        String more = tensor.size() > SHOWN ? ", ..." : "";
        return "Tensor %s %s [%s%s]"
                .formatted(tensor.dtype(), tensor.layout(), String.join(", ", shown), more);
    }

    private static String element(Storage storage, int index) {
        return storage.dtype().isFloatingPoint()
                ? String.format(Locale.ROOT, "%.4g", storage.get(index))
                : Long.toString(storage.getLong(index));
    }
}
