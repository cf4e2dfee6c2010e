package dev.blockscope.onnx;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import ai.onnxruntime.OrtSession.SessionOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An operator that hands a tensor on, and on its way to whoever listens on the thread that runs the
 * session. Its struct is {@code OrtCustomOp} of ONNX Runtime's C API, in its version 16.
 *
 * <p>Nothing that Java throws leaves a callback: it is kept for whoever started the run, and the
 * runtime is told that the node has failed, which ends the run.
 */
@SuppressWarnings({"restricted", "unused"}) // the runtime calls what nobody here seems to use
final class HookOperator {
    static final String DOMAIN = "blockscope";
    static final String NAME = "Hook";
    static final String ID = "id";

    private static final int VERSION = 16;
    private static final int POINTERS = 26;
    private static final int FLOAT = 1;
    private static final int REQUIRED = 0;
    private static final int IN_MEMORY_OF_PROCESSOR = 0;
    private static final MemorySegment OK = MemorySegment.NULL;

    /** Who listens on a thread while it runs a session. */
    private static final ThreadLocal<@Nullable Listener> LISTENER = new ThreadLocal<>();

    /** Hears of tensors on their way. */
    interface Listener {
        /**
         * Takes a tensor and says what goes on.
         *
         * @param id the number of the node
         * @param in the memory of the tensor, valid during the call
         * @param out the memory of what goes on, to be filled
         */
        void pass(int id, long[] shape, MemorySegment in, MemorySegment out);

        /** Keeps what ended the run, whose result counts for nothing from now on. */
        void failed(Throwable e);
    }

    private static final class Loaded {
        static final NativeRuntime RUNTIME = new NativeRuntime();
        static final MemorySegment NAME_TEXT = Arena.global().allocateFrom(NAME);
        static final MemorySegment OPERATOR = struct();
        static final MemorySegment DOMAIN_HANDLE = RUNTIME.domain(DOMAIN, OPERATOR);
    }

    private HookOperator() {}

    /**
     * Lets a session use the operator.
     *
     * @throws UnsupportedOperationException on another platform than Linux on x86-64, or with a
     *     version of ONNX Runtime that is built otherwise
     */
    static void addTo(SessionOptions options) {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch");
        if (!system.equals("linux") || !processor.equals("amd64")) {
            throw new UnsupportedOperationException(
                    "blocks run inline on Linux on x86-64, this is %s on %s; open the model without inline(true)"
                            .formatted(System.getProperty("os.name"), processor));
        }
        Loaded.RUNTIME.add(options, Loaded.DOMAIN_HANDLE);
    }

    /** Sets who listens on this thread, null for nobody, and returns who did before. */
    static @Nullable Listener listen(@Nullable Listener listener) {
        Listener before = LISTENER.get();
        if (listener == null) {
            LISTENER.remove();
        } else {
            LISTENER.set(listener);
        }
        return before;
    }

    private static MemorySegment struct() {
        MemorySegment op = Arena.global().allocate((POINTERS + 1) * 8L, 8);
        op.set(JAVA_INT, 0, VERSION);
        FunctionDescriptor ofOperator = FunctionDescriptor.of(ADDRESS, ADDRESS);
        FunctionDescriptor count = FunctionDescriptor.of(JAVA_LONG, ADDRESS);
        FunctionDescriptor kind = FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_LONG);
        set(op, 2, "name", ofOperator);
        set(op, 3, "provider", ofOperator);
        set(op, 4, "type", kind);
        set(op, 5, "inputs", count);
        set(op, 6, "type", kind);
        set(op, 7, "outputs", count);
        set(op, 9, "destroy", FunctionDescriptor.ofVoid(ADDRESS));
        set(op, 10, "characteristic", kind);
        set(op, 11, "characteristic", kind);
        set(op, 12, "memory", kind);
        FunctionDescriptor create =
                FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
        set(op, 17, "create", create);
        set(op, 18, "compute", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS));
        return op;
    }

    private static void set(MemorySegment op, int place, String method, FunctionDescriptor type) {
        try {
            MethodType signature = type.toMethodType();
            op.set(
                    ADDRESS,
                    place * 8L,
                    Linker.nativeLinker()
                            .upcallStub(
                                    MethodHandles.lookup()
                                            .findStatic(HookOperator.class, method, signature),
                                    type,
                                    Arena.global()));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("this class has the method \"" + method + "\"", e);
        }
    }

    // What the runtime calls. Nothing here may throw.

    private static MemorySegment name(MemorySegment operator) {
        return Loaded.NAME_TEXT;
    }

    /** None: the processor's. */
    private static MemorySegment provider(MemorySegment operator) {
        return MemorySegment.NULL;
    }

    private static int type(MemorySegment operator, long index) {
        return FLOAT;
    }

    /** The tensor, and what the hook before it made: hooks come in the order of the file. */
    private static long inputs(MemorySegment operator) {
        return 2;
    }

    private static long outputs(MemorySegment operator) {
        return 1;
    }

    private static int characteristic(MemorySegment operator, long index) {
        return REQUIRED;
    }

    private static int memory(MemorySegment operator, long index) {
        return IN_MEMORY_OF_PROCESSOR;
    }

    /** A kernel needs no memory of its own: its address is the number of its node, from 1 on. */
    private static MemorySegment create(
            MemorySegment operator, MemorySegment api, MemorySegment info, MemorySegment kernel) {
        try {
            long id = Loaded.RUNTIME.attribute(info, ID);
            kernel.reinterpret(8).set(ADDRESS, 0, MemorySegment.ofAddress(id + 1));
            return OK;
        } catch (Throwable e) {
            return failed(e);
        }
    }

    /**
     * Makes the answer that ends a run. Without memory for one the runtime goes on: a run finds out
     * at its end, by its listener, and a kernel that was not made fails when it is to run.
     */
    private static MemorySegment failed(Throwable e) {
        try {
            return Loaded.RUNTIME.failure("a hook ended the run: " + e);
        } catch (Throwable _) {
            return OK;
        }
    }

    private static void destroy(MemorySegment kernel) {}

    private static MemorySegment compute(MemorySegment kernel, MemorySegment context) {
        @Nullable Listener listener = null;
        try (Arena arena = Arena.ofConfined()) {
            listener = LISTENER.get();
            NativeRuntime runtime = Loaded.RUNTIME;
            MemorySegment in = runtime.input(context, 0, arena);
            long[] shape = runtime.shape(in, arena);
            long bytes = Float.BYTES;
            for (long size : shape) {
                bytes = Math.multiplyExact(bytes, size);
            }
            MemorySegment out = runtime.output(context, shape, arena);
            MemorySegment from = runtime.data(in, bytes, arena);
            MemorySegment to = runtime.data(out, bytes, arena);
            if (listener == null) {
                to.copyFrom(from);
            } else {
                listener.pass(Math.toIntExact(kernel.address() - 1), shape, from, to);
            }
            return OK;
        } catch (Throwable e) {
            tell(listener, e);
            return failed(e);
        }
    }

    /** Tells whoever started the run, who otherwise learns no more than that a hook ended it. */
    private static void tell(@Nullable Listener listener, Throwable e) {
        try {
            if (listener != null) {
                listener.failed(e);
            }
        } catch (Throwable _) {
            // The answer to the runtime tells of it, with the first of the two.
        }
    }
}
