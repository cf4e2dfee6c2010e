package dev.blockscope;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.AnnotatedElement;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.HostAccess;
import org.jspecify.annotations.Nullable;

/**
 * How far blocks are trusted: what they reach of the host beyond the names of their frame. An
 * engine has one trust for all its blocks; the strictest is the default.
 *
 * <p>Whatever the trust, host values cross as {@link Conversion} says: maps, lists, records and
 * dates as data, lambdas as functions. Trust decides about every other object.
 *
 * <p>No trust limits time, memory or output; {@link Limits} do.
 *
 * @since 0.1
 */
public final class Trust {
    /**
     * For code from anybody. A block reaches the members that a class marks with {@link
     * HostAccess.Export}, the bytes of a buffer, and nothing else: no class, no reflection, no
     * files, network, threads, processes, environment, native code or other language. It equals
     *
     * {@snippet :
     * HostAccess access = HostAccess.newBuilder(HostAccess.EXPLICIT).allowBufferAccess(true).build();
     * Context.newBuilder("js")
     *         .allowHostAccess(access)
     *         .option("js.load", "false")
     *         .option("js.graal-builtin", "false");
     * }
     *
     * <p>It does not protect against: what the exported members and the lambdas of the frame do
     * when they are called with any arguments at any time; a block that takes time or memory, which
     * {@link Limits#UNTRUSTED} is for; reading the clock, and with it side channels of the
     * processor, for guest code runs in the process of the host.
     */
    public static final Trust UNTRUSTED = new Trust("UNTRUSTED", exported());

    /**
     * For code of people who may do with the frame's objects what Java code does: call every public
     * method, read every public field, implement interfaces. There is still no way to a class by
     * its name, to reflection, class loaders, threads, processes or files, unless a method of these
     * objects opens it. It equals
     *
     * {@snippet :
     * HostAccess access =
     *         HostAccess.newBuilder()
     *                 .allowPublicAccess(true)
     *                 .allowAllImplementations(true)
     *                 .allowBufferAccess(true)
     *                 .denyAccess(Object.class, false)
     *                 .denyAccess(Class.class)
     *                 .denyAccess(ClassLoader.class)
     *                 .denyAccess(Module.class)
     *                 .denyAccess(AnnotatedElement.class)
     *                 .denyAccess(MethodHandles.Lookup.class)
     *                 .denyAccess(MethodHandle.class)
     *                 .denyAccess(Thread.class)
     *                 .denyAccess(ThreadGroup.class)
     *                 .denyAccess(Runtime.class)
     *                 .denyAccess(Process.class)
     *                 .denyAccess(ProcessHandle.class)
     *                 .denyAccess(System.class)
     *                 .build();
     * Context.newBuilder("js")
     *         .allowHostAccess(access)
     *         .option("js.load", "false")
     *         .option("js.graal-builtin", "false");
     * }
     *
     * <p>It does not protect against what any public method of an object in the frame, or of an
     * object that such a method returns, can do.
     */
    public static final Trust MEMBERS = new Trust("MEMBERS", members());

    /**
     * For code that could as well be part of the host, such as an administrator's scripts. It
     * equals
     *
     * {@snippet :
     * Context.newBuilder("js").allowAllAccess(true);
     * }
     *
     * <p>It protects against nothing.
     */
    public static final Trust HOST = new Trust("HOST", null);

    private final String name;
    private final @Nullable HostAccess access;

    private Trust(String name, @Nullable HostAccess access) {
        this.name = name;
        this.access = access;
    }

    private static HostAccess exported() {
        return HostAccess.newBuilder(HostAccess.EXPLICIT).allowBufferAccess(true).build();
    }

    private static HostAccess members() {
        return HostAccess.newBuilder()
                .allowPublicAccess(true)
                .allowAllImplementations(true)
                .allowBufferAccess(true)
                .denyAccess(Object.class, false)
                .denyAccess(Class.class)
                .denyAccess(ClassLoader.class)
                .denyAccess(Module.class)
                .denyAccess(AnnotatedElement.class)
                .denyAccess(MethodHandles.Lookup.class)
                .denyAccess(MethodHandle.class)
                .denyAccess(Thread.class)
                .denyAccess(ThreadGroup.class)
                .denyAccess(Runtime.class)
                .denyAccess(Process.class)
                .denyAccess(ProcessHandle.class)
                .denyAccess(System.class)
                .build();
    }

    /** Gives the contexts that a builder makes what this trust allows, and nothing else. */
    void applyTo(Context.Builder context) {
        if (access == null) {
            context.allowAllAccess(true);
        } else {
            context.allowHostAccess(access);
        }
    }

    /** Returns the access to host objects, or null if it is all access to the host. */
    @Nullable HostAccess access() {
        return access;
    }

    /** Whether guest code may have the builtins that reach out of it, such as {@code load}. */
    boolean opensTheHost() {
        return access == null;
    }

    @Override
    public String toString() {
        return name;
    }
}
