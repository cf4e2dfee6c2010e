package dev.blockscope.jsr223;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;
import static javax.script.ScriptContext.ENGINE_SCOPE;
import static javax.script.ScriptContext.GLOBAL_SCOPE;

import com.google.common.io.CharStreams;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.GuestFunction;
import dev.blockscope.OutputListener;
import dev.blockscope.PushException;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;
import javax.script.Bindings;
import javax.script.Compilable;
import javax.script.CompiledScript;
import javax.script.Invocable;
import javax.script.ScriptContext;
import javax.script.ScriptEngine;
import javax.script.ScriptException;
import javax.script.SimpleScriptContext;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates scripts as blocks. The bindings of {@code ENGINE_SCOPE} are the frame's variables: a
 * script sees them as they are when it begins, and what it binds is in them when it has ended, also
 * if it failed. Scripts over the same bindings go on with each other's variables, functions and
 * objects. The bindings of the other scopes are the globals: read, never written.
 *
 * <p>A script that fails is a {@link ScriptException} with the script's own file, line and column;
 * its cause is the {@link BlockException}. The file's name is what the context has under {@link
 * ScriptEngine#FILENAME}. What scripts print goes to the context's writers.
 *
 * <p>It may be used from many threads. What scripts hand out is plain Java and outlives it;
 * functions do not. Once closed, it evaluates nothing any more: that is an {@link
 * IllegalStateException}.
 *
 * @since 0.1
 */
public final class BlockScriptEngine implements ScriptEngine, Compilable, Invocable, AutoCloseable {
    private static final String NO_FILE = "<eval>";

    private final BlockScriptEngineFactory factory;
    private final BlockEngine engine;
    private final boolean owned;
    private final Frames frames = new Frames();
    private final OutputListener output = WrittenOutput.toCurrent(this::getContext);
    private volatile ScriptContext context;

    /**
     * Creates a script engine.
     *
     * @param owned whether closing this closes {@code engine}
     */
    BlockScriptEngine(BlockScriptEngineFactory factory, BlockEngine engine, boolean owned) {
        this.factory = factory;
        this.engine = engine;
        this.owned = owned;
        this.context = new SimpleScriptContext();
        context.setBindings(createBindings(), ENGINE_SCOPE);
    }

    @Override
    public @Nullable Object eval(String script) throws ScriptException {
        return eval(script, context);
    }

    @Override
    public @Nullable Object eval(Reader reader) throws ScriptException {
        return eval(reader, context);
    }

    @Override
    public @Nullable Object eval(Reader reader, ScriptContext in) throws ScriptException {
        return eval(textOf(reader), in);
    }

    @Override
    public @Nullable Object eval(Reader reader, Bindings bindings) throws ScriptException {
        return eval(textOf(reader), bindings);
    }

    @Override
    public @Nullable Object eval(String script, ScriptContext in) throws ScriptException {
        requireNonNull(script, "script");
        requireNonNull(in, "context");
        return run(sourceOf(script, in), in);
    }

    @Override
    public @Nullable Object eval(String script, Bindings bindings) throws ScriptException {
        requireNonNull(script, "script");
        requireNonNull(bindings, "bindings");
        return run(sourceOf(script, fileIn(bindings)), bindings);
    }

    /**
     * Parses a script, so that it can be evaluated many times, from many threads, with whatever
     * bindings.
     *
     * @throws ScriptException if it does not parse
     */
    @Override
    public CompiledScript compile(String script) throws ScriptException {
        BlockSource source = sourceOf(requireNonNull(script, "script"), context);
        try {
            engine.capture(source, Frame.empty());
        } catch (BlockException e) {
            throw Failures.of(e);
        }
        return new BlockScript(this, source);
    }

    @Override
    public CompiledScript compile(Reader script) throws ScriptException {
        return compile(textOf(script));
    }

    /** Evaluates a script in a context. */
    @SuppressWarnings("ReferenceEquality") // this engine's own context follows its writers
    @Nullable Object run(BlockSource source, ScriptContext in) throws ScriptException {
        Bindings own = in.getBindings(ENGINE_SCOPE);
        requireNonNull(own, "the context has no bindings in ENGINE_SCOPE");
        return run(
                source,
                frames.of(own, behind(own, in)),
                in == context ? output : WrittenOutput.to(in));
    }

    /** Evaluates a script with bindings, and the other scopes of this engine's context. */
    @Nullable Object run(BlockSource source, Bindings own) throws ScriptException {
        return run(source, frames.of(own, behind(own, context)), output);
    }

    private @Nullable Object run(BlockSource source, Frame frame, OutputListener listener)
            throws ScriptException {
        try {
            return engine.capture(source, frame).withOutput(listener).run().value();
        } catch (BlockException e) {
            throw Failures.of(e);
        } catch (PushException e) {
            throw Failures.of(e, source);
        }
    }

    /** Returns the bindings of a context that stand behind those of a script, the nearest first. */
    @SuppressWarnings("ReferenceEquality") // bindings are told apart by identity
    private static List<Bindings> behind(Bindings own, ScriptContext in) {
        List<Bindings> behind = new ArrayList<>(1);
        for (int scope : in.getScopes()) {
            Bindings bindings = scope == ENGINE_SCOPE ? null : in.getBindings(scope);
            if (bindings != null && bindings != own) {
                behind.add(bindings);
            }
        }
        return behind;
    }

    /**
     * Calls a function that a script has bound in this engine's context.
     *
     * @throws ScriptException if the function throws
     * @throws NoSuchMethodException if no function has that name
     */
    @Override
    public @Nullable Object invokeFunction(String name, @Nullable Object @Nullable ... arguments)
            throws ScriptException, NoSuchMethodException {
        requireNonNull(name, "name");
        GuestFunction function = function(name);
        if (function == null) {
            throw new NoSuchMethodException(
                    "no function \"%s\" in the bindings; scripts bind functions when they are evaluated"
                            .formatted(name));
        }
        try {
            return function.call(orNone(arguments));
        } catch (BlockException e) {
            throw Failures.of(e);
        }
    }

    /**
     * Calls a method of an object that a script has handed out or bound: the very object is what
     * the method sees as {@code this}.
     *
     * @throws ScriptException if the method throws
     * @throws NoSuchMethodException if the object has no such method
     * @throws IllegalArgumentException if {@code object} is null or no object of a script
     */
    @Override
    public @Nullable Object invokeMethod(
            @Nullable Object object, String name, @Nullable Object @Nullable ... arguments)
            throws ScriptException, NoSuchMethodException {
        requireNonNull(name, "name");
        checkArgument(object != null, "the object whose method \"%s\" is called is null", name);
        try {
            return engine.invoke(object, name, orNone(arguments));
        } catch (BlockException e) {
            throw Failures.of(e);
        }
    }

    /**
     * Returns an object whose methods are functions of scripts, as they are when they are called.
     * What such a function throws is a {@link BlockException}.
     *
     * @return null if a method that the interface leaves open has no function of its name
     * @throws IllegalArgumentException if {@code type} is null or no interface
     */
    @Override
    public <T> @Nullable T getInterface(@Nullable Class<T> type) {
        return new FunctionsOfScripts(this).as(type);
    }

    /**
     * Returns an object whose methods are those of a script's object.
     *
     * @return null if the object lacks a method that the interface leaves open
     * @throws IllegalArgumentException if {@code object} is null or no object of a script, or
     *     {@code type} is null or no interface
     */
    @Override
    public <T> @Nullable T getInterface(@Nullable Object object, @Nullable Class<T> type) {
        checkArgument(object != null, "the object whose methods are to be called is null");
        return new MethodsOfObject(engine, object).as(type);
    }

    /** Returns the function that scripts see under a name, or null if there is none. */
    @Nullable GuestFunction function(String name) {
        return !name.isEmpty() && context.getAttribute(name) instanceof GuestFunction function
                ? function
                : null;
    }

    @Override
    public void put(String key, @Nullable Object value) {
        getBindings(ENGINE_SCOPE).put(checked(key), value);
    }

    @Override
    public @Nullable Object get(String key) {
        return getBindings(ENGINE_SCOPE).get(checked(key));
    }

    /**
     * Returns the bindings of a scope of this engine's context.
     *
     * @return null if the scope is {@code GLOBAL_SCOPE} and has none
     * @throws IllegalArgumentException if it is neither {@code ENGINE_SCOPE} nor {@code
     *     GLOBAL_SCOPE}
     */
    @Override
    public Bindings getBindings(int scope) {
        return context.getBindings(checked(scope));
    }

    /**
     * Puts bindings into a scope of this engine's context.
     *
     * @param bindings null takes those of {@code GLOBAL_SCOPE} away
     * @throws IllegalArgumentException if it is neither {@code ENGINE_SCOPE} nor {@code
     *     GLOBAL_SCOPE}
     */
    @Override
    public void setBindings(@Nullable Bindings bindings, int scope) {
        context.setBindings(bindings, checked(scope));
    }

    /** Returns new bindings, which many threads may use at once. */
    @Override
    public Bindings createBindings() {
        return new SharedBindings();
    }

    @Override
    public ScriptContext getContext() {
        return context;
    }

    @Override
    public void setContext(ScriptContext newContext) {
        context = requireNonNull(newContext, "context");
    }

    @Override
    public BlockScriptEngineFactory getFactory() {
        return factory;
    }

    /**
     * Ends every script that runs and frees everything, unless the engine was {@linkplain
     * BlockScriptEngineFactory#of shared}. Closing twice does nothing.
     */
    @Override
    public void close() {
        if (owned) {
            engine.close();
        }
    }

    private static BlockSource sourceOf(String script, ScriptContext in) {
        return sourceOf(script, in.getAttribute(FILENAME));
    }

    private static BlockSource sourceOf(String script, @Nullable Object file) {
        return BlockSource.javaScript(script, file == null ? NO_FILE : file.toString());
    }

    /** A file that is named for one set of bindings is nearer than that of the engine. */
    private @Nullable Object fileIn(Bindings bindings) {
        Object file = bindings.get(FILENAME);
        return file == null ? context.getAttribute(FILENAME) : file;
    }

    private static String textOf(Reader reader) throws ScriptException {
        try {
            return CharStreams.toString(requireNonNull(reader, "reader"));
        } catch (IOException e) {
            throw new ScriptException(e);
        }
    }

    private static @Nullable Object[] orNone(@Nullable Object @Nullable [] arguments) {
        return arguments == null ? new Object[0] : arguments;
    }

    private static String checked(String key) {
        checkArgument(
                !requireNonNull(key, "key").isEmpty(), "the key is empty; a name is expected");
        return key;
    }

    private static int checked(int scope) {
        checkArgument(
                scope == ENGINE_SCOPE || scope == GLOBAL_SCOPE,
                "the scope is %s, expected ENGINE_SCOPE (%s) or GLOBAL_SCOPE (%s)",
                scope,
                ENGINE_SCOPE,
                GLOBAL_SCOPE);
        return scope;
    }
}
