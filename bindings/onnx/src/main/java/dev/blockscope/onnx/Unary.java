package dev.blockscope.onnx;

import java.util.Locale;
import java.util.Objects;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** What is made of one number. Functions with fractions make float32 of whole numbers. */
@SuppressWarnings("ImmutableEnumChecker") // the functions hold nothing
enum Unary {
    /** The number without its sign. */
    ABS(Math::abs, Math::abs),
    /** The number with the other sign. */
    NEG(x -> -x, x -> -x),
    /** -1, 0 or 1. */
    SIGN(Math::signum, Long::signum),
    /** The largest whole number that is not larger. */
    FLOOR(Math::floor, x -> x),
    /** The smallest whole number that is not smaller. */
    CEIL(Math::ceil, x -> x),
    /** The nearest whole number, of two the even one. */
    ROUND(Math::rint, x -> x),
    /** The number itself, or 0 if it is negative. */
    RELU(x -> x < 0 ? 0 : x, x -> Math.max(0, x)),
    /** Exponential. */
    EXP(Math::exp),
    /** Natural logarithm. */
    LOG(Math::log),
    /** Square root. */
    SQRT(Math::sqrt),
    /** Logistic function. */
    SIGMOID(x -> 1 / (1 + Math.exp(-x))),
    /** Hyperbolic tangent. */
    TANH(Math::tanh);

    private final DoubleUnaryOperator doubles;
    private final @Nullable LongUnaryOperator longs;

    Unary(DoubleUnaryOperator doubles) {
        this(doubles, null);
    }

    Unary(DoubleUnaryOperator doubles, @Nullable LongUnaryOperator longs) {
        this.doubles = doubles;
        this.longs = longs;
    }

    /** Computes a new tensor. */
    Tensor of(Tensor tensor) {
        Tensor result = new Tensor(resultType(tensor), Layout.rowMajor(tensor.shape()));
        write(result, tensor);
        return result;
    }

    /** Computes into the tensor itself. */
    void into(Tensor tensor) {
        Promotion.requireStorable(resultType(tensor), tensor.dtype());
        Broadcast.requireWritable(tensor.layout());
        write(tensor, tensor);
        tensor.storage().changed();
    }

    private DType resultType(Tensor tensor) {
        if (tensor.dtype() == DType.BOOL && longs != null) {
            throw new IllegalArgumentException(
                    "%s needs numbers, this is bool %s; convert it with to(\"int64\")"
                            .formatted(name().toLowerCase(Locale.ROOT), tensor.layout()));
        }
        return longs == null ? Promotion.floating(tensor.dtype()) : tensor.dtype();
    }

    private void write(Tensor out, Tensor in) {
        Elementwise.write(out, in, in, out.dtype(), this::apply, this::apply);
    }

    private void apply(double[] x, double[] same, int count) {
        for (int i = 0; i < count; i++) {
            x[i] = doubles.applyAsDouble(x[i]);
        }
    }

    private void apply(long[] x, long[] same, int count) {
        LongUnaryOperator operator = Objects.requireNonNull(longs);
        for (int i = 0; i < count; i++) {
            x[i] = operator.applyAsLong(x[i]);
        }
    }
}
