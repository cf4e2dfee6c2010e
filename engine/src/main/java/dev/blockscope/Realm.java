package dev.blockscope;

import dev.blockscope.truffle.GuestAccess;
import dev.blockscope.truffle.ParsedText;
import dev.blockscope.truffle.TextNames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/**
 * One guest context whose global object falls back to the scope of the block that runs.
 *
 * <p>One thread at a time may be in it, the one that has the <em>turn</em>. A realm holds no frame,
 * so it goes when its frame goes.
 */
final class Realm {
    private final BlockEngine engine;
    private final Context context;
    private final GuestAccess guest;
    private final Value absent;
    private final Value sweep;
    private final ReentrantLock turn = new ReentrantLock();
    private final Map<ProgramKey, Program> programs = new HashMap<>();
    private boolean swept;
    private volatile boolean tampered;
    private volatile boolean closed;

    Realm(BlockEngine engine, Context context, GuestAccess guest) {
        this.engine = engine;
        this.context = context;
        this.guest = guest;
        this.absent = context.eval(BlockSource.JAVASCRIPT, "Symbol('absent')");
        this.sweep =
                context.eval(JavaScript.FALLBACK)
                        .execute(
                                (ProxyExecutable) arguments -> lookUp(arguments[0].asString()),
                                (ProxyExecutable)
                                        arguments -> {
                                            scope().putMember(
                                                            arguments[0].asString(), arguments[1]);
                                            return null;
                                        },
                                absent);
    }

    /** Returns the realm in which this thread runs a block, or null. */
    static @Nullable Realm entered() {
        Run run = Run.current();
        return run == null ? null : run.home().realm();
    }

    BlockEngine engine() {
        return engine;
    }

    GuestAccess guest() {
        return guest;
    }

    ReentrantLock turn() {
        return turn;
    }

    /** Whether blocks may still run here. */
    boolean usable() {
        return !closed && !tampered;
    }

    /**
     * Checks that guest values of this realm can still be used.
     *
     * @throws IllegalStateException if the engine was closed, naming {@code what}
     */
    void requireUsable(Supplier<String> what) {
        if (closed) {
            throw new IllegalStateException(
                    "the engine of %s is closed; take plain values out before closing it"
                            .formatted(what.get()));
        }
    }

    /** Does something with this realm's values while no other thread runs in it. */
    <T extends @Nullable Object> T exclusively(Supplier<T> work) {
        turn.lock();
        try {
            return work.get();
        } finally {
            turn.unlock();
        }
    }

    Value asValue(@Nullable Object raw) {
        return context.asValue(raw);
    }

    /** Returns the value of one of the language's own globals. */
    Value builtin(String name) {
        return context.getBindings(BlockSource.JAVASCRIPT).getMember(name);
    }

    /** Returns the names of the language's own globals. */
    Set<String> builtins() {
        Value names = context.eval(JavaScript.BUILTINS);
        Set<String> builtins = new HashSet<>();
        for (long i = 0; i < names.getArraySize(); i++) {
            builtins.add(names.getArrayElement(i).asString());
        }
        return builtins;
    }

    /** Lists the names of a text. */
    TextNames namesOf(BlockSource source) {
        return parsing(() ->
                guest.namesOf(
                        source.language(), source.file(), source.placed(), JavaScript.NO_NAME));
    }

    /** Returns whether a text parses with one name as its parameter. */
    boolean parsesWith(BlockSource source, String name) {
        try {
            parse(source, List.of(name));
            return true;
        } catch (BlockException e) {
            return false;
        }
    }

    /** Returns a text parsed with parameters; the same text with the same ones is parsed once. */
    Program program(BlockSource source, List<String> names) {
        return programs.computeIfAbsent(
                new ProgramKey(source, names), key -> parseLeniently(source, names));
    }

    /**
     * Cleans up what a block may have defined on the global object itself, past the scope. Once a
     * realm has had a block that can, all later blocks might call into it.
     */
    void sweepIf(boolean suspicious) {
        swept |= suspicious;
        if (swept && !sweep.execute().asBoolean()) {
            tampered = true;
        }
    }

    /**
     * Ends what runs here and frees the context; host code that a block is in is not waited for.
     */
    void close() {
        closed = true;
        context.close(true);
    }

    /**
     * The net below the analysis: names that a text cannot take after all, such as {@code eval} in
     * strict text, are left out, and stay reachable through the global object.
     */
    private Program parseLeniently(BlockSource source, List<String> names) {
        try {
            return parse(source, names);
        } catch (BlockException e) {
            List<String> taken = new ArrayList<>(names);
            taken.removeIf(name -> !parsesWith(source, name));
            if (taken.size() == names.size()) {
                throw e;
            }
            return parse(source, taken);
        }
    }

    private Program parse(BlockSource source, List<String> names) {
        List<String> parameters = names.isEmpty() ? List.of(JavaScript.NO_NAME) : names;
        ParsedText text =
                parsing(() ->
                        guest.parse(source.language(), source.file(), source.placed(), parameters));
        return new Program(text, context.asValue(text), List.copyOf(names));
    }

    private <T> T parsing(Parse<T> parse) {
        context.enter();
        try {
            return parse.get();
        } catch (Exception e) {
            throw BlockException.ofSyntax(context, e);
        } finally {
            context.leave();
        }
    }

    private @Nullable Object lookUp(String name) {
        Binding binding = scope().findForGuest(name);
        return binding == null ? absent : binding.value();
    }

    private Scope scope() {
        Run run = Run.current();
        if (run == null) {
            throw new AssertionError("guest code runs outside any run of a block");
        }
        return run.home().scope();
    }

    @FunctionalInterface
    private interface Parse<T> {
        T get() throws Exception;
    }

    private record ProgramKey(BlockSource source, List<String> names) {}
}
