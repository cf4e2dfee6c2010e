package dev.blockscope.bench;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.Frame;
import dev.blockscope.Traceback;
import java.util.Map;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** A run that throws an error, which the host catches and reads the message and the place of. */
@State(Scope.Thread)
public class ThrowBenchmark extends Measured {
    private static final String TEXT =
            """
            function check(price) {
              if (price > 2) throw new Error('too expensive: ' + price);
            }
            check(price);
            """;

    private BlockEngine engine;
    private Block block;
    private Context context;
    private Value function;

    /** Captures the block, and makes the function. */
    @Setup(Level.Trial)
    public void open() {
        engine = BlockEngine.create();
        block = engine.capture(TEXT, Frame.of(Map.of("price", 3)));
        context = Context.create("js");
        function = context.eval("js", "(price) => {" + TEXT + "}");
    }

    /** Closes both engines. */
    @TearDown(Level.Trial)
    public void close() {
        engine.close();
        context.close();
    }

    /** A block. */
    @Benchmark
    public int block() {
        try {
            block.run();
        } catch (BlockException e) {
            return String.valueOf(e.getMessage()).length() + lineOf(e.traceback());
        }
        throw new AssertionError("the block did not throw");
    }

    private static int lineOf(Traceback traceback) {
        Traceback.Entry pinned = traceback.pinned();
        return pinned == null ? 0 : pinned.line();
    }

    /** A function that is called by hand; its place is that of the first frame. */
    @Benchmark
    public int function() {
        try {
            function.execute(3);
        } catch (PolyglotException e) {
            return String.valueOf(e.getMessage()).length()
                    + e.getPolyglotStackTrace()
                            .iterator()
                            .next()
                            .getSourceLocation()
                            .getStartLine();
        }
        throw new AssertionError("the function did not throw");
    }
}
