package dev.blockscope.bench;

import static dev.blockscope.bench.Figure.cpu;
import static dev.blockscope.bench.Figure.gain;
import static dev.blockscope.bench.Figure.wall;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What the benchmarks are there to compare.
 *
 * @param name what is measured, ours against other
 * @param ours our figure
 * @param other the figure it is held against
 * @param limit what the ratio may be at most or must be at least, or NaN if there is no limit
 * @param threads whether the figures are gains of threads, where more is better, and no times
 */
record Measure(String name, Figure ours, Figure other, double limit, boolean threads) {
    private static final Figure FUNCTION = cpu("SmallJobBenchmark.function");
    private static final Figure CALL = cpu("HotLoopBenchmark.call");
    private static final Figure CALL_BY_HAND = cpu("HotLoopBenchmark.callByHand");
    private static final Figure NO_TURNS = cpu("HotLoopBenchmark.noTurns");
    private static final Figure NO_TURNS_BY_HAND = cpu("HotLoopBenchmark.noTurnsByHand");
    private static final Figure TURNS_OVER_LOCAL = turns("local", NO_TURNS);

    private static final Figure UNIT = wall("InStepBenchmark.unit");
    private static final Figure ONE_READ =
            wall("InStepBenchmark.oneRead").beyond(wall("InStepBenchmark.bare"));
    private static final Figure FURTHER_READ =
            wall("InStepBenchmark.manyReads")
                    .beyond(wall("InStepBenchmark.oneRead"))
                    .each(InStepBenchmark.MANY - 1);
    private static final Figure FURTHER_READ_OF_TWO =
            wall("InStepBenchmark.twoOfMany")
                    .beyond(wall("InStepBenchmark.twoBlocks"))
                    .each(2 * (InStepBenchmark.MANY - 1));
    private static final Figure SIBLING =
            wall("InStepBenchmark.eightBlocks").beyond(wall("InStepBenchmark.oneRead")).each(7);

    /** All of them, in the order of the table. */
    static final List<Measure> ALL =
            List.of(
                    atMost(
                            3,
                            "a block: 2 names in, 1 out, against a function and copies by hand",
                            cpu("BlockBenchmark.blockThatAssigns"),
                            cpu("BlockBenchmark.baseline")),
                    atMost(
                            3,
                            "the same, where the name is new to the frame",
                            cpu("BlockBenchmark.blockThatMakesAName"),
                            cpu("BlockBenchmark.baseline")),
                    atMost(
                            1.25,
                            "a model with a block that reads layer 3, against the model alone",
                            wall("HookBenchmark.hookThatReads"),
                            wall("HookBenchmark.baseline")),
                    atMost(
                            1.25,
                            "a model with a block that replaces layer 3, against the model alone",
                            wall("HookBenchmark.hookThatReplaces"),
                            wall("HookBenchmark.baseline")),
                    atMost(
                            2,
                            "small job: 5 names in, 2 out, against a function and copies by hand",
                            cpu("SmallJobBenchmark.block"),
                            FUNCTION),
                    atMost(
                            2,
                            "the same, where the 2 names have values already",
                            cpu("SmallJobBenchmark.blockOfKnownNames"),
                            FUNCTION),
                    atMost(
                            4,
                            "small job, against Groovy with a binding per run",
                            cpu("SmallJobBenchmark.block"),
                            cpu("TodayBenchmark.groovy")),
                    atMost(
                            1.2,
                            "1,000 turns over a snapshot name, in a function, beyond no turns",
                            TURNS_OVER_LOCAL,
                            turns("localByHand", NO_TURNS_BY_HAND)),
                    atMost(
                            1.5,
                            "1,000 turns over a snapshot name, at the top level, beyond the call",
                            turns("localAtTop", CALL),
                            turns("localAtTopByHand", CALL_BY_HAND)),
                    atMost(
                            1.5,
                            "1,000 turns over `Math` and a name of the globals, beyond no turns",
                            turns("global", NO_TURNS),
                            turns("globalByHand", NO_TURNS_BY_HAND)),
                    atMost(
                            3,
                            "1,000 turns over a sibling's name, against a snapshot name, beyond no turns",
                            turns("sibling", NO_TURNS),
                            TURNS_OVER_LOCAL),
                    atMost(
                            2,
                            "a run that throws and is caught, against a function and `PolyglotException`",
                            cpu("ThrowBenchmark.block"),
                            cpu("ThrowBenchmark.function")),
                    atMost(
                            1.3,
                            "a small block with all limits, against none",
                            cpu("LimitsBenchmark.limitedFormula"),
                            cpu("LimitsBenchmark.formula")),
                    atMost(
                            1.3,
                            "a small block that calls a builtin with all limits, against none",
                            cpu("LimitsBenchmark.limitedCall"),
                            cpu("LimitsBenchmark.call")),
                    atMost(
                            Double.NaN,
                            "a block that calls its own function, with all limits on another thread, against none",
                            wall("LimitsBenchmark.limitedFunction"),
                            wall("LimitsBenchmark.function")),
                    atMost(
                            1,
                            "stop of an endless loop, against its time limit and 100 ms",
                            wall("LimitsBenchmark.endlessLoop"),
                            times -> LimitsBenchmark.TIME.plusMillis(100).toNanos() / 1e3),
                    atMost(
                            20,
                            "capture of a known text, 5 names, against a copy of the map",
                            cpu("CaptureBenchmark.capture"),
                            cpu("CaptureBenchmark.copyByHand")),
                    atMost(
                            2,
                            "first run of a new text, interpreted, against `Context.eval`",
                            cpu("FirstRunBenchmark.block"),
                            cpu("FirstRunBenchmark.eval")),
                    atMost(
                            0.02,
                            "JSR-223: compiled script, new bindings, against GraalJS's engine",
                            cpu("ScriptEngineBenchmark.blockscope"),
                            cpu("ScriptEngineBenchmark.graalJs")),
                    atMost(
                            1,
                            "elsewhere: a run by the dispatcher in this JVM, beyond one here, against 100 µs",
                            wall("ElsewhereBenchmark.dispatched")
                                    .beyond(wall("ElsewhereBenchmark.here")),
                            times -> 100),
                    atMost(
                            1,
                            "elsewhere: a block with 10 numbers to bytes and back, against 30 µs",
                            cpu("ElsewhereBenchmark.tenValues"),
                            times -> 30),
                    atMost(
                            1,
                            "elsewhere: an array of 1 MB to bytes and back, against 3 copies",
                            cpu("ElsewhereBenchmark.tensor"),
                            cpu("ElsewhereBenchmark.copies")),
                    atMost(
                            20,
                            "in step: a visit that nobody waits for, against a virtual call",
                            wall("InStepBenchmark.visits")
                                    .beyond(wall("InStepBenchmark.noVisits"))
                                    .each(InStepBenchmark.VISITS),
                            wall("InStepBenchmark.virtualCalls").each(InStepBenchmark.VISITS)),
                    atMost(
                            6,
                            "in step: a run with one read, beyond the computation, in hand-overs",
                            ONE_READ,
                            UNIT),
                    atMost(
                            6,
                            "in step: a run with one replacement, the same",
                            wall("InStepBenchmark.oneReplacement")
                                    .beyond(wall("InStepBenchmark.bare")),
                            UNIT),
                    atMost(2.5, "in step: each further read, in hand-overs", FURTHER_READ, UNIT),
                    atMost(
                            2.5,
                            "in step: each further read of one of two blocks, in hand-overs",
                            FURTHER_READ_OF_TWO,
                            UNIT),
                    atMost(5, "in step: each further block, in hand-overs", SIBLING, UNIT),
                    atMost(
                            1.5,
                            "in step: 32 blocks of 32 reads, against the sum of the above",
                            wall("InStepBenchmark.manyOfMany"),
                            FURTHER_READ_OF_TWO.times(
                                    InStepBenchmark.MANY * (InStepBenchmark.MANY - 1),
                                    SIBLING.times(
                                            InStepBenchmark.MANY - 1,
                                            wall("InStepBenchmark.oneRead")))),
                    new Measure(
                            "gain of a second thread with blocks, against plain functions",
                            gain("TwoThreadsBenchmark.blockOne", "TwoThreadsBenchmark.blockTwo"),
                            gain(
                                    "TwoThreadsBenchmark.functionOne",
                                    "TwoThreadsBenchmark.functionTwo"),
                            // 1.7 where two plain threads do twice the work.
                            0.85,
                            true),
                    today(
                            "small job, captured and run each time, against the function",
                            "SmallJobBenchmark.capturedEachTime"),
                    today(
                            "small job, in a frame of its own each time, against the function",
                            "SmallJobBenchmark.frameEachTime"),
                    today("fresh context per run, against the function", "freshContext"),
                    today("shared context with bindings", "sharedContext"),
                    today("`with` over a proxy", "withOverProxy"),
                    today(
                            "JSR-223 with bindings per run, GraalJS's engine",
                            "ScriptEngineBenchmark.graalJs"),
                    today("Rhino", "rhino"),
                    today("JEXL", "jexl"),
                    today("Groovy", "groovy"));

    private static Measure atMost(double limit, String name, Figure ours, Figure other) {
        return new Measure(name, ours, other, limit, false);
    }

    /** A thousand turns of a loop, of which {@code call} is the same without any. */
    private static Figure turns(String loop, Figure call) {
        return cpu("HotLoopBenchmark." + loop).beyond(call).each(HotLoopBenchmark.THOUSANDS);
    }

    /** The small job by one contender, as a multiple of the function called by hand. */
    private static Measure today(String name, String contender) {
        String benchmark = contender.contains(".") ? contender : "TodayBenchmark." + contender;
        return atMost(Double.NaN, name, cpu(benchmark), FUNCTION);
    }

    /** Returns the row of this measure, or empty if a benchmark it needs was not run. */
    Optional<Row> row(Map<String, Time> times) {
        double mine = ours.of(times);
        double theirs = other.of(times);
        return Double.isNaN(mine / theirs)
                ? Optional.empty()
                : Optional.of(
                        new Row(name, text(mine), text(theirs), mine / theirs, limit, threads));
    }

    private String text(double figure) {
        return threads
                ? String.format(Locale.ROOT, "%.2f times", figure)
                : Row.ofMicroseconds(figure);
    }
}
