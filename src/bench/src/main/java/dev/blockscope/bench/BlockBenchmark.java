package dev.blockscope.bench;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.Frame;
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
 * A run of a captured block that reads two names and assigns one, against the same function with
 * the copies by hand.
 */
@State(Scope.Thread)
public class BlockBenchmark extends Measured {

    private final Map<String, @Nullable Object> locals =
            new HashMap<>(Map.of("price", 3, "quantity", 4, "total", 0));

    private BlockEngine engine;
    private Block known;
    private Block made;
    private Context context;
    private Value function;

    /** Captures the blocks, and makes the function. */
    @Setup(Level.Trial)
    public void open() {
        engine = BlockEngine.create();
        String text = "total = price * quantity";
        known = engine.capture(text, Frame.of(locals));
        made = engine.capture(text, Frame.of(new HashMap<>(Map.of("price", 3, "quantity", 4))));
        context = Context.create("js");
        function = context.eval("js", "(price, quantity) => price * quantity");
    }

    /** Closes both engines. */
    @TearDown(Level.Trial)
    public void close() {
        engine.close();
        context.close();
    }

    /** The function, its arguments read from the map and its result written to it. */
    @Benchmark
    public @Nullable Object baseline() {
        Value total = function.execute(locals.get("price"), locals.get("quantity"));
        return locals.put("total", total.as(Object.class));
    }

    /** The block, which assigns a name that its frame has. */
    @Benchmark
    public @Nullable Object blockThatAssigns() {
        return known.run().value();
    }

    /** The block, which makes a name that its frame had not when it was captured. */
    @Benchmark
    public @Nullable Object blockThatMakesAName() {
        return made.run().value();
    }
}
