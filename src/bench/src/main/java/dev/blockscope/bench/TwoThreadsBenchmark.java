package dev.blockscope.bench;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockResult;
import dev.blockscope.Frame;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/** The {@link SmallJob} by one thread and by two, which share an engine and nothing else. */
public class TwoThreadsBenchmark extends Measured {
    /** An engine of ours. */
    @State(Scope.Benchmark)
    public static class Shared {
        private BlockEngine engine;

        /** Makes the engine. */
        @Setup(Level.Trial)
        public void open() {
            engine = BlockEngine.create();
        }

        /** Closes it. */
        @TearDown(Level.Trial)
        public void close() {
            engine.close();
        }
    }

    /** A block in a frame of its own. */
    @State(Scope.Thread)
    public static class Mine {
        private Block block;

        /** Captures the block. */
        @Setup(Level.Trial)
        public void capture(Shared shared) {
            block = shared.engine.capture(SmallJob.TEXT, Frame.of(SmallJob.locals()));
        }
    }

    /** A raw engine. */
    @State(Scope.Benchmark)
    public static class SharedRaw {
        private Engine engine;

        /** Makes the engine. */
        @Setup(Level.Trial)
        public void open() {
            engine = Engine.create("js");
        }

        /** Closes it. */
        @TearDown(Level.Trial)
        public void close() {
            engine.close(true);
        }
    }

    /** A function in a context of its own. */
    @State(Scope.Thread)
    public static class MineRaw {
        private Value function;

        /** Makes the function. */
        @Setup(Level.Trial)
        public void evaluate(SharedRaw shared) {
            Context context = Context.newBuilder("js").engine(shared.engine).build();
            function = context.eval("js", SmallJob.FUNCTION);
        }
    }

    /** Blocks, by one thread. */
    @Benchmark
    @Threads(1)
    public BlockResult blockOne(Mine mine) {
        return mine.block.run();
    }

    /** Blocks, by two threads. */
    @Benchmark
    @Threads(2)
    public BlockResult blockTwo(Mine mine) {
        return mine.block.run();
    }

    /** Functions, by one thread. */
    @Benchmark
    @Threads(1)
    public @Nullable Object functionOne(MineRaw mine) {
        return mine.function.execute(3, 4, 0.25, 0.19, 4.9).as(Object.class);
    }

    /** Functions, by two threads. */
    @Benchmark
    @Threads(2)
    public @Nullable Object functionTwo(MineRaw mine) {
        return mine.function.execute(3, 4, 0.25, 0.19, 4.9).as(Object.class);
    }
}
