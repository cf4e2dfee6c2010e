package dev.blockscope;

import static java.util.Objects.requireNonNull;

import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a block was written: its locals, which {@link #push} may write, its globals, which are the
 * fallback, and its code.
 *
 * <p>A frame's identity matters: blocks captured in the same frame object share what they bind,
 * blocks of two frames never do, even if both frames stand over one map. What they share lives as
 * long as the frame does.
 *
 * <p>A frame may be used from many threads as far as its locals may.
 *
 * @since 0.1
 */
public abstract sealed class Frame
        permits BeanFrame,
                ClosureFrame,
                FunctionFrame,
                GuestFrame,
                MapFrame,
                NamespaceFrame,
                SerializedFrame {
    private final FrameCode code;
    private final SharedLocals shared;
    private final IdentityHashMap<BlockEngine, Tenancy> tenancies = new IdentityHashMap<>(1);
    private volatile @Nullable Tenancy last;

    Frame(FrameCode code) {
        this(code, new SharedLocals());
    }

    Frame(FrameCode code, SharedLocals shared) {
        this.code = requireNonNull(code, "code");
        this.shared = shared;
    }

    /** Returns a new frame with no locals and no globals; what is pushed can be read back. */
    public static Frame empty() {
        return of(new LinkedHashMap<>());
    }

    /**
     * Returns a new frame whose locals are a map of the host.
     *
     * @param locals read at each capture, written by each push
     */
    public static Frame of(Map<String, @Nullable Object> locals) {
        return of(locals, Globals.none());
    }

    /** Returns a new frame over a map, with names to fall back to. */
    public static Frame of(Map<String, @Nullable Object> locals, Globals globals) {
        return of(locals, globals, FrameCode.UNKNOWN);
    }

    /**
     * Returns a new frame over a map, with names to fall back to and a place in the user's code.
     */
    public static Frame of(Map<String, @Nullable Object> locals, Globals globals, FrameCode code) {
        return new MapFrame(locals, globals, code);
    }

    /**
     * Returns a new frame whose locals are read by one function and written by another, for
     * variables that are kept in no map: rows of a table, fields of a form, properties of a system.
     *
     * {@snippet :
     * Frame frame = Frame.of(() -> Map.of("title", window.getTitle()), window::setProperty);
     * }
     *
     * @param getter returns all locals as they are now, in their order; called at each capture, and
     *     before a push of several names
     * @param setter binds a name, also a new one, to a value, which may be null; called once for
     *     each name of a push, and again to restore it. If it throws, the name must be as it was
     */
    public static Frame of(
            Supplier<? extends Map<String, ? extends @Nullable Object>> getter,
            BiConsumer<String, @Nullable Object> setter) {
        return of(getter, setter, Globals.none(), FrameCode.UNKNOWN);
    }

    /**
     * Returns a new frame over a getter and a setter, with names to fall back to and a place in the
     * user's code.
     */
    public static Frame of(
            Supplier<? extends Map<String, ? extends @Nullable Object>> getter,
            BiConsumer<String, @Nullable Object> setter,
            Globals globals,
            FrameCode code) {
        return new FunctionFrame(getter, setter, globals, code);
    }

    /**
     * Returns a new frame whose locals are the properties of an object: the components of a record;
     * of any other object what its public getters ({@code getTotal}, {@code isOpen}) return and its
     * public fields hold, in alphabetical order.
     *
     * <p>A push writes through setters that take what the getter returns, and into fields that are
     * not final. What has neither, such as every component of a record, is read-only, and a name
     * that is no property cannot be pushed. A value must fit the property without loss: {@code 2.0}
     * is an int and {@code 2.5} is none, an enum constant comes from its name.
     *
     * @throws IllegalArgumentException if the object's class is not public in a package that is
     *     exported, or has no properties, or is a map
     */
    public static Frame ofBean(Object bean) {
        return ofBean(bean, Globals.none(), FrameCode.UNKNOWN);
    }

    /**
     * Returns a new frame over the properties of an object, with names to fall back to and a place
     * in the user's code.
     *
     * @throws IllegalArgumentException if the object's class is not public in a package that is
     *     exported, or has no properties, or is a map
     */
    public static Frame ofBean(Object bean, Globals globals, FrameCode code) {
        return new BeanFrame(bean, globals, code);
    }

    /**
     * Returns a new frame for blocks that go on with one set of variables, each where the one
     * before has ended, as the lines at a prompt do.
     *
     * <p>It differs from other frames. There is no snapshot: a block and its functions see a
     * variable as it is when they come by, be it another block or the host that changed it; a name
     * that a block assigns and others have declared is theirs. The map follows: after each {@link
     * Block#run}, and each call of a {@link GuestFunction} by the host, it holds what has become of
     * the variables, also of those that the run has not assigned, and also if it failed. What the
     * host puts into the map or removes counts from the next run or call on.
     *
     * {@snippet :
     * Map<String, Object> variables = new HashMap<>();
     * Frame frame = Frame.ofNamespace(variables, Globals.none());
     * engine.capture("let n = 0; function next() { return n += step }", frame).run();
     * variables.put("step", 2);
     * ((GuestFunction) variables.get("next")).call(); // 2
     * variables.get("n"); // 2
     * }
     *
     * @param variables what the host binds, and what blocks bind as plain Java
     */
    public static Frame ofNamespace(Map<String, @Nullable Object> variables, Globals globals) {
        return new NamespaceFrame(variables, globals, FrameCode.UNKNOWN);
    }

    /**
     * Returns the live frame of the guest code that called the host function that calls this.
     *
     * <p>Its locals are all variables visible on the line of the call: those of the braces around
     * it, of its function, of the functions around that as far as the language keeps them, and the
     * names of the block that it belongs to. A variable that has no value yet is not among them.
     * {@link #push} writes the variables themselves; a name that is none of them is bound in the
     * block, as if it had been assigned on that line. The frame goes on working when the function
     * has returned.
     *
     * <p>Blocks captured in it run in the guest context of the caller and share objects with it by
     * identity. Two frames taken in one activation of a function share what their blocks bind.
     *
     * @throws IllegalStateException if no guest code calls the host on this thread
     */
    public static Frame caller() {
        return GuestFrame.ofCaller();
    }

    /** Returns where the frame's code stands. */
    public final FrameCode code() {
        return code;
    }

    /** Returns the names the frame's blocks fall back to. */
    public abstract Globals globals();

    /**
     * Returns a shallow copy of the locals as they are now, in their order.
     *
     * @throws IllegalStateException if a property of an object cannot be read, naming it; what a
     *     map or a getter function throws comes out as it is
     */
    public abstract Map<String, @Nullable Object> snapshot();

    /**
     * Writes names into the frame's locals, all or none: each name is checked before the first is
     * written, and if a write fails, the names written before it get their old values back, the
     * last one first. Locals that throw when they are written count as not written. Other threads
     * that look at the locals meanwhile may see some names new and some old.
     *
     * @param bindings the names and their new values, in the order of writing; null is a value
     * @throws PushException if the locals refuse a name; it also lists what could not be restored
     */
    public abstract void push(Map<String, ? extends @Nullable Object> bindings);

    /**
     * Returns what a block captured now is to start with, in a map of its own; the values are for
     * the engine.
     */
    Map<String, @Nullable Object> captured() {
        return snapshot();
    }

    /** Returns what was captured as plain Java. */
    Map<String, @Nullable Object> plain(Map<String, @Nullable Object> captured) {
        return captured;
    }

    /** Returns those of a text's parameters that it can have in this frame. */
    List<String> parametersAmong(List<String> names, Analysis text) {
        return names;
    }

    /** Whether a free name of a text cannot be looked up once for a whole run. */
    boolean isLive(Analysis text, String name) {
        return false;
    }

    /** A run of a block begins on this thread, which has the turn. */
    void begin(Block block) {}

    /** A run of a block has ended well and pushed some names. */
    void ended(Block block, Set<String> pushed) {}

    /** A run of a block has failed and pushed nothing. */
    void failed(Block block, BlockException failure) {}

    SharedLocals shared() {
        return shared;
    }

    /** Returns the frame in whose realm the blocks of this one run. */
    Frame tenant(BlockEngine engine) {
        return this;
    }

    /** Returns this frame's hold on the realms of an engine. */
    Tenancy tenancy(BlockEngine engine) {
        Tenancy latest = last;
        if (latest != null && latest.engine() == engine) {
            return latest;
        }
        synchronized (tenancies) {
            Tenancy tenancy = tenancies.computeIfAbsent(engine, Tenancy::new);
            last = tenancy;
            return tenancy;
        }
    }
}
