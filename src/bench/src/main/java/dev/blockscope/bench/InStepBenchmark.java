package dev.blockscope.bench;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.Frame;
import dev.blockscope.interleave.Envoy;
import dev.blockscope.interleave.HookPoint;
import dev.blockscope.interleave.HookPoints;
import dev.blockscope.interleave.Interleaver;
import dev.blockscope.interleave.Visits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Blocks in step with a computation that does nothing but visit points. The unit is what two
 * threads need to hand over to each other and back with nothing but park and unpark.
 */
@State(Scope.Thread)
public class InStepBenchmark extends Measured {
    /** How many points there are, and how many blocks and reads at most. */
    static final int MANY = 32;

    /** How many visits or calls the measures of a single one do at once. */
    static final int VISITS = 100_000;

    private static final HookPoints POINTS =
            HookPoints.of(IntStream.range(0, MANY).mapToObj(i -> "step." + i).toList());

    private final List<HookPoint<@Nullable Object>> points =
            POINTS.paths().stream().map(POINTS::point).toList();
    private final Interleaver interleaver = Interleaver.of(POINTS);
    private final IntUnaryOperator[] calls = {x -> x + 1, x -> x + 2, x -> x + 3};

    private BlockEngine engine;
    private Block last;
    private Block oneRead;
    private Block oneReplacement;
    private Block manyReads;
    private Partner partner;

    /** Captures the blocks and starts the thread to hand over to. */
    @Setup(Level.Trial)
    public void open() {
        engine = BlockEngine.create();
        Frame frame = Frame.of(new HashMap<>(Map.of("it", Envoy.of(POINTS))));
        last = engine.capture("it.step[31]", frame);
        oneRead = engine.capture("it.step[0]", frame);
        oneReplacement = engine.capture("it.step[0] = 1", frame);
        StringBuilder reads = new StringBuilder();
        for (int i = 0; i < MANY; i++) {
            reads.append("it.step[").append(i).append("]\n");
        }
        manyReads = engine.capture(reads.toString(), frame);
        partner = new Partner(Thread.currentThread());
        partner.start();
    }

    /** Ends everything. */
    @TearDown(Level.Trial)
    public void close() throws InterruptedException {
        engine.close();
        partner.end();
    }

    private @Nullable Object compute(Visits visits) {
        Object value = 1;
        for (HookPoint<@Nullable Object> point : points) {
            value = visits.visit(point, value);
        }
        return value;
    }

    private @Nullable Object run(Block block, int times) {
        List<Block> blocks = new ArrayList<>(Collections.nCopies(times, block));
        return interleaver.run(blocks, this::compute).result();
    }

    /** Two threads that hand over to each other. */
    @Benchmark
    public int unit() {
        return partner.goAndCome();
    }

    /** The computation without blocks. */
    @Benchmark
    public @Nullable Object bare() {
        return run(oneRead, 0);
    }

    /** One block that reads one point. */
    @Benchmark
    public @Nullable Object oneRead() {
        return run(oneRead, 1);
    }

    /** One block that replaces one value. */
    @Benchmark
    public @Nullable Object oneReplacement() {
        return run(oneReplacement, 1);
    }

    /** One block that reads 32 points. */
    @Benchmark
    public @Nullable Object manyReads() {
        return run(manyReads, 1);
    }

    /** Eight blocks that read one point each. */
    @Benchmark
    public @Nullable Object eightBlocks() {
        return run(oneRead, 8);
    }

    /** Two blocks that read one point each. */
    @Benchmark
    public @Nullable Object twoBlocks() {
        return run(oneRead, 2);
    }

    /** Two blocks that read 32 points each. */
    @Benchmark
    public @Nullable Object twoOfMany() {
        return run(manyReads, 2);
    }

    /** 32 blocks that read 32 points each. */
    @Benchmark
    public @Nullable Object manyOfMany() {
        return run(manyReads, MANY);
    }

    /** A hundred thousand visits that nobody waits for, and one that a block waits for. */
    @Benchmark
    public @Nullable Object visits() {
        HookPoint<@Nullable Object> first = points.getFirst();
        HookPoint<@Nullable Object> end = points.getLast();
        return interleaver
                .run(
                        List.of(last),
                        visits -> {
                            Object value = 1;
                            for (int i = 0; i < VISITS; i++) {
                                value = visits.visit(first, value);
                            }
                            return visits.visit(end, value);
                        })
                .result();
    }

    /** The same without the hundred thousand. */
    @Benchmark
    public @Nullable Object noVisits() {
        HookPoint<@Nullable Object> end = points.getLast();
        return interleaver.run(List.of(last), visits -> visits.visit(end, 1)).result();
    }

    /** A hundred thousand virtual calls. */
    @Benchmark
    public int virtualCalls() {
        int value = 1;
        for (int i = 0; i < VISITS; i++) {
            value = calls[i % 3].applyAsInt(value);
        }
        return value;
    }

    /** The other one of two threads. */
    private static final class Partner extends Thread {
        private final Thread caller;
        private volatile int turn;
        private volatile boolean over;

        Partner(Thread caller) {
            super("partner");
            this.caller = caller;
            setDaemon(true);
        }

        @Override
        public void run() {
            while (!over) {
                if (turn % 2 == 0) {
                    LockSupport.park(this);
                } else {
                    // Only the one whose turn it is writes.
                    int next = turn + 1;
                    turn = next;
                    LockSupport.unpark(caller);
                }
            }
        }

        int goAndCome() {
            int mine = turn + 1;
            turn = mine;
            LockSupport.unpark(this);
            while (turn == mine) {
                LockSupport.park(this);
            }
            return mine;
        }

        void end() throws InterruptedException {
            over = true;
            LockSupport.unpark(this);
            join();
        }
    }
}
