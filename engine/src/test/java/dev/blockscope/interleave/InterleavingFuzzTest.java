package dev.blockscope.interleave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.Frame;
import dev.blockscope.SharedLocals;
import dev.blockscope.StopSignal;
import dev.blockscope.interleave.Scenario.Action;
import dev.blockscope.interleave.Scenario.Kind;
import dev.blockscope.interleave.ScenarioModel.End;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whatever blocks and a computation do, the trace ends, as the rules say, and nothing is left: no
 * thread, no context, no name. {@code -Dfuzz.inputs} says how many traces, {@code -Dfuzz.seed} runs
 * the same ones again.
 */
@Timeout(3600)
final class InterleavingFuzzTest {
    private static final int TRACES = Integer.getInteger("fuzz.inputs", 20_000);
    private static final long SEED = Long.getLong("fuzz.seed", System.nanoTime());

    private static final HookPoints POINTS = HookPoints.of(List.of("p0", "p1", "p2"));
    private static final Duration A_HANG = Duration.ofSeconds(60);

    /**
     * What a block runs: the script's actions, one after the other. Each block counts for itself.
     */
    @SuppressWarnings("InlineFormatString") // as long as it is, it reads better here
    private static final String TEXT =
            """
            done%1$d = 0
            for (const { kind, point, number } of script%1$d) {
              switch (kind) {
                case 'READ': it.visit(number)[point]; break
                case 'WRITE': it.visit(number)[point] = %1$d; break
                case 'TRY': try { it.visit(number)[point] } catch (e) { if (!e.message) throw e } break
                case 'LOOP': for (const step of it.iter(0, number)) step.index; break
                case 'BARRIER': it.barrier(point, number); break
                case 'STOP': it.stop(); break
                case 'THROW': throw new Error('block')
                case 'HOST_THROW': hostThrow(); break
                case 'OVERFLOW': (function deeper() { deeper() })(); break
                case 'INTERRUPT': interrupt(); for (;;) ;
                case 'CANCEL': cancel(); for (;;) ;
              }
              done%1$d++
            }
            """;

    private static BlockEngine engine;

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    @Test
    void randomTracesEndAsTheRulesSay() {
        System.out.printf("%d interleavings, seed %d%n", TRACES, SEED);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < TRACES; i++) {
            check(Scenario.of(random), "seed " + SEED + ", trace " + i);
        }
        assertThat(engine.openContexts())
                .isLessThanOrEqualTo(4 * Runtime.getRuntime().availableProcessors());
    }

    @Test
    void anErrorAtAnyStepEndsTheTrace() {
        List<Action> reader =
                List.of(
                        new Action(Kind.READ, 0, 0),
                        new Action(Kind.BARRIER, 0, 2),
                        new Action(Kind.TRY, 2, 1));
        List<Action> writer =
                List.of(
                        new Action(Kind.WRITE, 1, 0),
                        new Action(Kind.BARRIER, 0, 2),
                        new Action(Kind.LOOP, 0, 3));
        List<Action> watcher = List.of(new Action(Kind.LOOP, 0, 2), new Action(Kind.READ, 2, 0));
        Scenario calm =
                new Scenario(List.of(0, 1, 0, 1, 2), -1, List.of(reader, writer, watcher), true);
        check(calm, "without an error");
        for (int i = 0; i < calm.visits().size(); i++) {
            check(calm.failingAt(i), "the computation fails at " + i);
        }
        for (int block = 0; block < 3; block++) {
            for (int at = 0; at <= calm.scripts().get(block).size(); at++) {
                for (Kind kind :
                        List.of(
                                Kind.STOP,
                                Kind.THROW,
                                Kind.HOST_THROW,
                                Kind.OVERFLOW,
                                Kind.INTERRUPT,
                                Kind.CANCEL)) {
                    check(
                            calm.withInjected(block, at, kind),
                            "%s in block %d before action %d".formatted(kind, block, at));
                }
            }
        }
    }

    private static void check(Scenario scenario, String name) {
        Traced traced = new Traced(scenario);
        ScenarioModel model = new ScenarioModel(scenario);
        try {
            traced.run();
            assertThat(traced.end()).isEqualTo(model.end());
            traced.requireNothingLeft();
            if (model.end() == End.RESULT || model.end() == End.STOPPED) {
                assertThat(traced.done())
                        .isEqualTo(
                                IntStream.range(0, scenario.scripts().size())
                                        .mapToObj(model::done)
                                        .toList());
            } else {
                assertThat(traced.done()).containsOnlyNulls();
            }
        } catch (AssertionError | RuntimeException e) {
            fail("%s: %s".formatted(name, scenario), e);
        }
    }

    /** A scenario as it really runs. */
    private static final class Traced {
        private final Scenario scenario;
        private final StopSignal signal = new StopSignal();
        private final Thread host = Thread.currentThread();
        private final List<Map<String, Object>> locals = new ArrayList<>();
        private final List<Frame> frames = new ArrayList<>();
        private End end;

        Traced(Scenario scenario) {
            this.scenario = scenario;
        }

        void run() {
            try {
                Trace<Object> trace =
                        Interleaver.builder(POINTS)
                                .timeout(A_HANG)
                                .build()
                                .run(blocks(), this::compute, signal);
                end = trace.stopped().isPresent() ? End.STOPPED : End.RESULT;
            } catch (BlockException e) {
                end = End.BLOCK_FAILED;
            } catch (CancellationException e) {
                assertThat(e.getMessage()).doesNotContain("timeout");
                end = End.CANCELLED;
            } catch (ArithmeticException e) {
                assertThat(e).hasMessage("computation").hasNoSuppressedExceptions();
                end = End.COMPUTATION_FAILED;
            }
            assertThat(Thread.interrupted() && end != End.CANCELLED).isFalse();
        }

        private Object compute(Visits visits) {
            Object value = 0;
            for (int i = 0; i < scenario.visits().size(); i++) {
                if (i == scenario.failsAt()) {
                    throw new ArithmeticException("computation");
                }
                value = visits.visit("p" + scenario.visits().get(i), value);
            }
            return value;
        }

        private List<Block> blocks() {
            List<Block> blocks = new ArrayList<>();
            for (int i = 0; i < scenario.scripts().size(); i++) {
                if (i == 0 || !scenario.oneFrame()) {
                    locals.add(new LinkedHashMap<>(world()));
                    frames.add(Frame.of(locals.getLast()));
                }
                locals.getLast()
                        .put(
                                "script" + i,
                                scenario.scripts().get(i).stream().map(Action::asData).toList());
                blocks.add(engine.capture(TEXT.formatted(i), frames.getLast()));
            }
            return blocks;
        }

        private Map<String, Object> world() {
            return Map.of(
                    "it",
                    Envoy.of(POINTS),
                    "hostThrow",
                    (Runnable)
                            () -> {
                                throw new IllegalArgumentException("host");
                            },
                    "interrupt",
                    (Runnable) host::interrupt,
                    "cancel",
                    (Runnable) () -> signal.stop("cancelled"));
        }

        End end() {
            return end;
        }

        /** Returns what each block has pushed: how many actions it has done. */
        List<Object> done() {
            return IntStream.range(0, scenario.scripts().size())
                    .mapToObj(i -> locals.get(scenario.oneFrame() ? 0 : i).get("done" + i))
                    .toList();
        }

        void requireNothingLeft() {
            assertThat(engine.leasedThreads()).isZero();
            frames.forEach(frame -> assertThat(SharedLocals.of(frame).names()).isEmpty());
        }
    }
}
