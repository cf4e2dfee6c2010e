package dev.blockscope.bench;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.Frame;
import dev.blockscope.Globals;
import java.util.HashMap;
import java.util.Map;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Turns that read a name of each tier, in blocks and in functions called by hand: so many that what
 * a call costs, which differs from one start of the JVM to the next, is little beside them.
 */
@State(Scope.Thread)
public class HotLoopBenchmark extends Measured {
    /** How often a loop goes through what the table tells of. */
    static final int THOUSANDS = 10;

    private static final String LOOP =
            "let s = 0; for (let i = 0; i < " + THOUSANDS * 1_000 + "; i++) s = (s + %s * i) | 0;";

    private static final String IN_FUNCTION = "function sum() { " + LOOP + " return s }";

    /** The same function without the loop: what a block pays for making and binding one. */
    private static final String NO_TURNS = "function sum() { return x }";

    private BlockEngine engine;
    private Frame frame;
    private Context context;

    private Block empty;
    private Block noTurns;
    private Block local;
    private Block localAtTop;
    private Block global;
    private Block sibling;
    private Value emptyFunction;
    private Value noTurnsFunction;
    private Value localFunction;
    private Value localAtTopFunction;
    private Value globalFunction;

    /** Captures the blocks, and makes the functions. */
    @Setup(Level.Trial)
    public void open() {
        engine = BlockEngine.create();
        Globals globals = Globals.of(new HashMap<>(Map.of("rate", 7)));
        frame = Frame.of(new HashMap<>(Map.of("x", 3)), globals);
        empty = block("result = x");
        noTurns = block(NO_TURNS + " result = sum()");
        local = block(IN_FUNCTION.formatted("x") + " result = sum()");
        localAtTop = block(LOOP.formatted("x") + " result = s");
        global = block(IN_FUNCTION.formatted("rate * Math.abs(x)") + " result = sum()");
        sibling = block(IN_FUNCTION.formatted("weight") + " result = sum()");
        block("weight = 3").evaluate();

        context = Context.create("js");
        context.getBindings("js").putMember("rate", 7);
        emptyFunction = context.eval("js", "x => x");
        noTurnsFunction = context.eval("js", "x => { %s return sum() }".formatted(NO_TURNS));
        localFunction =
                context.eval(
                        "js", "x => { %s return sum() }".formatted(IN_FUNCTION.formatted("x")));
        localAtTopFunction =
                context.eval("js", "x => { %s return s }".formatted(LOOP.formatted("x")));
        globalFunction =
                context.eval(
                        "js",
                        "x => { %s return sum() }"
                                .formatted(IN_FUNCTION.formatted("rate * Math.abs(x)")));
    }

    /** Closes both engines. */
    @TearDown(Level.Trial)
    public void close() {
        engine.close();
        context.close();
    }

    /** A block without a loop: the cost of the call. */
    @Benchmark
    public @Nullable Object call() {
        return empty.evaluate().bindings().get("result");
    }

    /** A function without a loop. */
    @Benchmark
    public int callByHand() {
        return emptyFunction.execute(3).asInt();
    }

    /** A block with a function that has no loop: the cost of all but the turns. */
    @Benchmark
    public @Nullable Object noTurns() {
        return noTurns.evaluate().bindings().get("result");
    }

    /** A function with a function in it that has no loop. */
    @Benchmark
    public int noTurnsByHand() {
        return noTurnsFunction.execute(3).asInt();
    }

    /** A name of the snapshot, in a function inside the block. */
    @Benchmark
    public @Nullable Object local() {
        return local.evaluate().bindings().get("result");
    }

    /** A parameter, in a function inside the function. */
    @Benchmark
    public int localByHand() {
        return localFunction.execute(3).asInt();
    }

    /** A name of the snapshot, in a loop at the block's top level. */
    @Benchmark
    public @Nullable Object localAtTop() {
        return localAtTop.evaluate().bindings().get("result");
    }

    /** A parameter, in a loop of the function itself. */
    @Benchmark
    public int localAtTopByHand() {
        return localAtTopFunction.execute(3).asInt();
    }

    /** {@code Math} and a name of the frame's globals. */
    @Benchmark
    public @Nullable Object global() {
        return global.evaluate().bindings().get("result");
    }

    /** {@code Math} and a property of the global object. */
    @Benchmark
    public int globalByHand() {
        return globalFunction.execute(3).asInt();
    }

    /** A name that another block of the frame bound. */
    @Benchmark
    public @Nullable Object sibling() {
        return sibling.evaluate().bindings().get("result");
    }

    private Block block(String text) {
        return engine.capture(text, frame);
    }
}
