package dev.blockscope.onnx;

/**
 * The element type of what two operands make, by the rules of PyTorch: floating point wins over
 * whole numbers and those over booleans; of two types of one kind the one that holds both is taken;
 * but a plain number, and then a tensor without dimensions, has a say only if it is of a higher
 * kind.
 */
final class Promotion {
    private Promotion() {}

    /** Kinds of numbers, the lowest first. */
    private enum Kind {
        BOOLEAN,
        WHOLE,
        FLOATING;

        static Kind of(DType type) {
            if (type.isFloatingPoint()) {
                return FLOATING;
            }
            return type == DType.BOOL ? BOOLEAN : WHOLE;
        }
    }

    /** Returns the type of what two tensors make. */
    static DType of(Tensor a, Tensor b) {
        boolean oneIsScalar = (a.dim() == 0) != (b.dim() == 0);
        if (oneIsScalar && Kind.of(a.dtype()) == Kind.of(b.dtype())) {
            return a.dim() == 0 ? b.dtype() : a.dtype();
        }
        return larger(a.dtype(), b.dtype());
    }

    /** Returns the type of what a tensor and a number make; whole numbers count as such. */
    static DType of(Tensor a, double number) {
        return switch (Kind.of(a.dtype())) {
            case FLOATING -> a.dtype();
            case WHOLE -> isWhole(number) ? a.dtype() : DType.FLOAT32;
            case BOOLEAN -> isWhole(number) ? DType.INT64 : DType.FLOAT32;
        };
    }

    /** Returns whether a number is a whole one that 64 bits hold. */
    static boolean isWhole(double number) {
        return number == Math.rint(number) && Math.abs(number) < 0x1p63;
    }

    /** Returns the type itself, or float32 if it has no fractions. */
    static DType floating(DType type) {
        return type.isFloatingPoint() ? type : DType.FLOAT32;
    }

    /** Returns the type all tensors go into. */
    static DType ofAll(Iterable<Tensor> tensors) {
        DType all = DType.BOOL;
        for (Tensor tensor : tensors) {
            all = larger(all, tensor.dtype());
        }
        return all;
    }

    /**
     * Makes sure that a result can be stored in a tensor without losing its kind.
     *
     * @throws IllegalArgumentException if fractions would go into whole numbers, or numbers into
     *     booleans
     */
    static void requireStorable(DType result, DType target) {
        if (Kind.of(result).compareTo(Kind.of(target)) > 0) {
            throw new IllegalArgumentException(
                    "the result is %s, it cannot be stored in a tensor of %s"
                            .formatted(result, target));
        }
    }

    private static DType larger(DType a, DType b) {
        Kind kind = Kind.of(a);
        if (kind != Kind.of(b)) {
            return kind.compareTo(Kind.of(b)) > 0 ? a : b;
        }
        if (a != b && a.bytes() == b.bytes()) {
            // Only int8 and uint8 are of one kind and one size.
            return DType.INT16;
        }
        return a.bytes() > b.bytes() ? a : b;
    }
}
