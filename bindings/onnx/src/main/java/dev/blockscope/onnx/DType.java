package dev.blockscope.onnx;

import ai.onnxruntime.OnnxJavaType;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The element type of a tensor. Every type an ONNX file can name is here; those that a {@link
 * Tensor} can hold say so by {@link #isHoldable}.
 *
 * @since 0.1
 */
public enum DType {
    /** 32-bit IEEE floating point. */
    FLOAT32(1, 4, OnnxJavaType.FLOAT),
    /** Unsigned 8-bit integer. */
    UINT8(2, 1, OnnxJavaType.UINT8),
    /** Signed 8-bit integer. */
    INT8(3, 1, OnnxJavaType.INT8),
    /** Unsigned 16-bit integer. */
    UINT16(4),
    /** Signed 16-bit integer. */
    INT16(5, 2, OnnxJavaType.INT16),
    /** Signed 32-bit integer. */
    INT32(6, 4, OnnxJavaType.INT32),
    /** Signed 64-bit integer. */
    INT64(7, 8, OnnxJavaType.INT64),
    /** Text. */
    STRING(8),
    /** True or false. */
    BOOL(9, 1, OnnxJavaType.BOOL),
    /** 16-bit IEEE floating point. */
    FLOAT16(10, 2, OnnxJavaType.FLOAT16),
    /** 64-bit IEEE floating point. */
    FLOAT64(11, 8, OnnxJavaType.DOUBLE),
    /** Unsigned 32-bit integer. */
    UINT32(12),
    /** Unsigned 64-bit integer. */
    UINT64(13),
    /** Two 32-bit floating point numbers. */
    COMPLEX64(14),
    /** Two 64-bit floating point numbers. */
    COMPLEX128(15),
    /** 16-bit floating point with the exponent of float32. */
    BFLOAT16(16),
    /** 8-bit floating point, e4m3fn. */
    FLOAT8E4M3FN(17),
    /** 8-bit floating point, e4m3fnuz. */
    FLOAT8E4M3FNUZ(18),
    /** 8-bit floating point, e5m2. */
    FLOAT8E5M2(19),
    /** 8-bit floating point, e5m2fnuz. */
    FLOAT8E5M2FNUZ(20),
    /** Unsigned 4-bit integer. */
    UINT4(21),
    /** Signed 4-bit integer. */
    INT4(22),
    /** 4-bit floating point, e2m1. */
    FLOAT4E2M1(23),
    /** 8-bit floating point, a power of two. */
    FLOAT8E8M0(24),
    /** Unsigned 2-bit integer. */
    UINT2(25),
    /** Signed 2-bit integer. */
    INT2(26);

    private final int code;
    private final int bytes;
    private final @Nullable OnnxJavaType javaType;

    DType(int code) {
        this(code, 0, null);
    }

    DType(int code, int bytes, @Nullable OnnxJavaType javaType) {
        this.code = code;
        this.bytes = bytes;
        this.javaType = javaType;
    }

    /**
     * Returns whether a {@link Tensor} can hold elements of this type.
     *
     * @since 0.1
     */
    public boolean isHoldable() {
        return javaType != null;
    }

    /**
     * Returns whether this is a type of floating-point numbers.
     *
     * @since 0.1
     */
    public boolean isFloatingPoint() {
        return name().contains("FLOAT");
    }

    /** Returns the name as PyTorch and NumPy write it, such as {@code "float32"}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Finds a type by its name.
     *
     * @param name a name such as {@code "float32"}
     * @throws IllegalArgumentException if no type has that name
     * @since 0.1
     */
    public static DType of(String name) {
        return Arrays.stream(values())
                .filter(type -> type.toString().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "no element type is named \"%s\", expected one of %s"
                                        .formatted(name, Arrays.toString(values()))));
    }

    /** Finds a type by the number that ONNX files use for it. */
    static Optional<DType> ofCode(long code) {
        return Arrays.stream(values()).filter(type -> type.code == code).findFirst();
    }

    /** Returns the number that ONNX files use for this type. */
    int code() {
        return code;
    }

    /** Returns the size of an element in bytes. */
    int bytes() {
        holdable();
        return bytes;
    }

    /** Returns what ONNX Runtime's Java API calls this type. */
    OnnxJavaType javaType() {
        return holdable();
    }

    private OnnxJavaType holdable() {
        if (javaType == null) {
            throw new IllegalArgumentException("a tensor cannot hold elements of type " + this);
        }
        return javaType;
    }
}
