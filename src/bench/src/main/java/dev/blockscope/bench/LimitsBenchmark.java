package dev.blockscope.bench;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.Frame;
import dev.blockscope.Limits;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What limits cost a run that does not reach them, and how soon one that does is over. */
@State(Scope.Thread)
public class LimitsBenchmark extends Measured {
    /** The time limit of the endless loop. */
    static final Duration TIME = Duration.ofMillis(20);

    private static final String FORMULA = "total = price * quantity";
    private static final String CALL = "total = [price, quantity].join()";
    private static final String FUNCTION = "const net = x => x * quantity; total = net(price)";

    private BlockEngine unlimited;
    private BlockEngine limited;
    private Block formula;
    private Block limitedFormula;
    private Block call;
    private Block limitedCall;
    private Block function;
    private Block limitedFunction;
    private Block loop;

    /** Captures the blocks, those with and those without limits in engines of their own. */
    @Setup(Level.Trial)
    public void open() {
        unlimited = BlockEngine.create();
        limited = BlockEngine.builder().limits(Limits.UNTRUSTED).build();
        formula = unlimited.capture(FORMULA, frame());
        limitedFormula = limited.capture(FORMULA, frame());
        call = unlimited.capture(CALL, frame());
        limitedCall = limited.capture(CALL, frame());
        function = unlimited.capture(FUNCTION, frame());
        limitedFunction = limited.capture(FUNCTION, frame());
        loop = limited.capture("for (;;);", frame()).within(Limits.builder().time(TIME).build());
    }

    private static Frame frame() {
        Map<String, @Nullable Object> locals = new HashMap<>();
        locals.put("price", 3);
        locals.put("quantity", 4);
        locals.put("total", 0);
        return Frame.of(locals);
    }

    /** Closes both engines. */
    @TearDown(Level.Trial)
    public void close() {
        unlimited.close();
        limited.close();
    }

    /** A formula without limits. */
    @Benchmark
    public @Nullable Object formula() {
        return formula.run().value();
    }

    /** The same with all limits, which stays on the caller's thread. */
    @Benchmark
    public @Nullable Object limitedFormula() {
        return limitedFormula.run().value();
    }

    /** A block that calls a builtin, without limits. */
    @Benchmark
    public @Nullable Object call() {
        return call.run().value();
    }

    /** The same with all limits, which stays on the caller's thread too. */
    @Benchmark
    public @Nullable Object limitedCall() {
        return limitedCall.run().value();
    }

    /** A block that calls a function of its own, without limits. */
    @Benchmark
    public @Nullable Object function() {
        return function.run().value();
    }

    /** The same with all limits, which goes to a thread of the engine. */
    @Benchmark
    public @Nullable Object limitedFunction() {
        return limitedFunction.run().value();
    }

    /** An endless loop with a time limit, until its caller is free. */
    @Benchmark
    public Object endlessLoop() {
        try {
            return loop.run();
        } catch (BlockException e) {
            return e;
        }
    }
}
