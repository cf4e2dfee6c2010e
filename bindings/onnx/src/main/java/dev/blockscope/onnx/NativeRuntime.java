package dev.blockscope.onnx;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession.SessionOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/**
 * The part of ONNX Runtime's C API that an operator of our own needs. The numbers are the places of
 * functions in the struct {@code OrtApi}, to which the runtime only ever appends.
 *
 * <p>The address of the struct, and that of session options, are private members of the runtime's
 * Java API; without them there is no way to add an operator that is not in a library of its own.
 */
@SuppressWarnings("restricted") // native code is called here and in HookOperator, nowhere else
final class NativeRuntime {
    private static final int FUNCTIONS = 128;
    private static final int FAIL = 1;
    private static final FunctionDescriptor TO_ADDRESS =
            FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS);

    private final MemorySegment api;
    private final MethodHandle createStatus;
    private final MethodHandle addDomain;
    private final MethodHandle attribute;
    private final MethodHandle input;
    private final MethodHandle output;
    private final MethodHandle data;
    private final MethodHandle info;
    private final MethodHandle rank;
    private final MethodHandle dimensions;
    private final MethodHandle releaseInfo;
    private final MethodHandle message;
    private final MethodHandle releaseStatus;

    /**
     * Finds the functions.
     *
     * @throws UnsupportedOperationException if the runtime's Java API does not tell where they are
     */
    NativeRuntime() {
        OrtEnvironment.getEnvironment();
        this.api = MemorySegment.ofAddress(handleOfApi()).reinterpret(FUNCTIONS * 8L);
        this.createStatus = function(0, FunctionDescriptor.of(ADDRESS, JAVA_INT, ADDRESS));
        this.message = function(2, FunctionDescriptor.of(ADDRESS, ADDRESS));
        this.addDomain = function(28, TO_ADDRESS);
        this.data = function(51, TO_ADDRESS);
        this.rank = function(61, TO_ADDRESS);
        this.dimensions = function(62, FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, JAVA_LONG));
        this.info = function(65, TO_ADDRESS);
        this.attribute = function(86, FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, ADDRESS));
        this.input = function(90, FunctionDescriptor.of(ADDRESS, ADDRESS, JAVA_LONG, ADDRESS));
        this.output =
                function(
                        91,
                        FunctionDescriptor.of(
                                ADDRESS, ADDRESS, JAVA_LONG, ADDRESS, JAVA_LONG, ADDRESS));
        this.releaseStatus = function(93, FunctionDescriptor.ofVoid(ADDRESS));
        this.releaseInfo = function(99, FunctionDescriptor.ofVoid(ADDRESS));
    }

    private static long handleOfApi() {
        try {
            Field field =
                    Class.forName("ai.onnxruntime.OnnxRuntime").getDeclaredField("ortApiHandle");
            field.setAccessible(true);
            return field.getLong(null);
        } catch (ReflectiveOperationException e) {
            throw unknown(e);
        }
    }

    private static MemorySegment handleOf(SessionOptions options) {
        try {
            Method handle = SessionOptions.class.getDeclaredMethod("getNativeHandle");
            handle.setAccessible(true);
            return MemorySegment.ofAddress((long) handle.invoke(options));
        } catch (ReflectiveOperationException e) {
            throw unknown(e);
        }
    }

    private static UnsupportedOperationException unknown(ReflectiveOperationException e) {
        return new UnsupportedOperationException(
                "this version of ONNX Runtime's Java API is built otherwise than the one that blocks run inline with; open the model without inline(true)",
                e);
    }

    private MethodHandle function(int place, FunctionDescriptor type) {
        return Linker.nativeLinker().downcallHandle(api.get(ADDRESS, place * 8L), type);
    }

    /** Makes a domain with one operator, for as long as the process lives. */
    MemorySegment domain(String name, MemorySegment operator) {
        MemorySegment place = Arena.global().allocate(ADDRESS);
        MethodHandle create = function(26, TO_ADDRESS);
        MethodHandle add = function(27, TO_ADDRESS);
        check(() -> (MemorySegment) create.invokeExact(Arena.global().allocateFrom(name), place));
        MemorySegment domain = place.get(ADDRESS, 0);
        check(() -> (MemorySegment) add.invokeExact(domain, operator));
        return domain;
    }

    /** Lets the models of a session use the operators of a domain. */
    void add(SessionOptions options, MemorySegment domain) {
        MemorySegment handle = handleOf(options);
        check(() -> (MemorySegment) addDomain.invokeExact(handle, domain));
    }

    /** Returns an integer attribute of a node. */
    long attribute(MemorySegment kernelInfo, String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment text = arena.allocateFrom(name);
            MemorySegment value = arena.allocate(JAVA_LONG);
            check(() -> (MemorySegment) attribute.invokeExact(kernelInfo, text, value));
            return value.get(JAVA_LONG, 0);
        }
    }

    /** Returns an input of a node that runs. */
    MemorySegment input(MemorySegment context, long number, Arena arena) {
        MemorySegment place = arena.allocate(ADDRESS);
        check(() -> (MemorySegment) input.invokeExact(context, number, place));
        return place.get(ADDRESS, 0);
    }

    /** Has the runtime make an output of a node that runs, and returns it. */
    MemorySegment output(MemorySegment context, long[] shape, Arena arena) {
        MemorySegment place = arena.allocate(ADDRESS);
        MemorySegment sizes = arena.allocateFrom(JAVA_LONG, shape);
        check(() ->
                (MemorySegment) output.invokeExact(context, 0L, sizes, (long) shape.length, place));
        return place.get(ADDRESS, 0);
    }

    long[] shape(MemorySegment value, Arena arena) {
        MemorySegment place = arena.allocate(ADDRESS);
        check(() -> (MemorySegment) info.invokeExact(value, place));
        MemorySegment known = place.get(ADDRESS, 0);
        try {
            MemorySegment count = arena.allocate(JAVA_LONG);
            check(() -> (MemorySegment) rank.invokeExact(known, count));
            long dims = count.get(JAVA_LONG, 0);
            MemorySegment sizes = arena.allocate(MemoryLayout.sequenceLayout(dims, JAVA_LONG));
            check(() -> (MemorySegment) dimensions.invokeExact(known, sizes, dims));
            return sizes.toArray(JAVA_LONG);
        } finally {
            release(releaseInfo, known);
        }
    }

    /** Returns the memory of a tensor. */
    MemorySegment data(MemorySegment value, long bytes, Arena arena) {
        MemorySegment place = arena.allocate(ADDRESS);
        check(() -> (MemorySegment) data.invokeExact(value, place));
        return place.get(ADDRESS, 0).reinterpret(bytes);
    }

    /** Returns what a node answers that failed; the runtime releases it. */
    MemorySegment failure(String text) {
        try (Arena arena = Arena.ofConfined()) {
            return (MemorySegment) createStatus.invokeExact(FAIL, arena.allocateFrom(text));
        } catch (Throwable e) {
            throw new AssertionError("a call of the runtime threw", e);
        }
    }

    @FunctionalInterface
    private interface Call {
        MemorySegment status() throws Throwable;
    }

    private void check(Call call) {
        MemorySegment status;
        try {
            status = call.status();
        } catch (Throwable e) {
            throw new AssertionError("a call of the runtime threw", e);
        }
        if (status.address() != 0) {
            String text = message(status);
            release(releaseStatus, status);
            throw new IllegalStateException("ONNX Runtime: " + text);
        }
    }

    private String message(MemorySegment status) {
        try {
            MemorySegment text = (MemorySegment) message.invokeExact(status);
            return text.reinterpret(Long.MAX_VALUE).getString(0);
        } catch (Throwable e) {
            throw new AssertionError("a call of the runtime threw", e);
        }
    }

    private static void release(MethodHandle function, MemorySegment what) {
        try {
            function.invokeExact(what);
        } catch (Throwable e) {
            throw new AssertionError("a call of the runtime threw", e);
        }
    }
}
