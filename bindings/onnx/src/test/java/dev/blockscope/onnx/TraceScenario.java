package dev.blockscope.onnx;

import static dev.blockscope.onnx.TraceWorld.IOI;
import static dev.blockscope.onnx.TraceWorld.SHORTER;

import dev.blockscope.Limits;
import dev.blockscope.interleave.Batch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Something that a user does with traces, which comes to the same wherever the model is. */
@SuppressWarnings("ImmutableEnumChecker") // functions without a state
enum TraceScenario {
    READS(world -> {
        world.locals("a").put("layer", 1);
        world.trace(IOI, world.block("a", "seen = model.transformer.h[layer].output; 'value'"));
    }),
    EDITS_AND_SEES_THE_OUTPUTS(world -> {
        String text = "model.transformer.h[0].output = model.transformer.h[0].output.mul(factor)";
        world.see(world.trace(IOI, world.block("a", text)));
    }),
    CHANGES_IN_PLACE(world -> {
        String text =
                "x = model.transformer.h[0].output; x[0][3].zero_(); console.log('at', x.shape)";
        world.see(world.trace(IOI, world.block("a", text)));
    }),
    SKIPS(world -> {
        String text = "const h = model.transformer.h[1]\nx = h.input; h.skip(x.add(1))";
        world.see(world.trace(IOI, world.block("a", text)));
    }),
    TENSORS_BY_THEIR_NAMES(world -> {
        String text =
                "const p = model.tensor('/transformer/h.1/attn/Softmax_output_0'); x = p.output; p.output = x.mul(2)";
        world.see(world.trace(IOI, world.block("a", text)));
    }),
    A_TENSOR_BY_ITS_NAME_COMES_BACK_AND_GOES_AGAIN(world -> {
        world.trace(
                IOI,
                world.block("a", "p = model.tensor('/transformer/h.1/attn/Softmax_output_0')"));
        world.trace(IOI, world.block("a", "seen = p.output.shape"));
    }),
    AN_UNKNOWN_TENSOR(world -> world.trace(IOI, world.block("a", "x = 1\n model.tensor('/h')"))),
    LOOPS_OVER_VISITS(world -> {
        String text =
                "seen = []; for (const s of model.all()) seen.push(s.index, s.transformer.h[0].output.shape)";
        world.trace(IOI, world.block("a", text));
    }),
    BLOCKS_OF_A_FRAME_SHARE(world ->
            world.trace(
                    IOI,
                    world.block("a", "kept = { n: 1 }; model.transformer.h[0].output; kept.n += 1"),
                    world.block("a", "model.transformer.h[0].output; seen = kept; seen.n *= 10"),
                    world.block("b", "model.transformer.h[1].output; x = typeof kept"))),
    THE_LATER_BLOCK_WINS(world ->
            world.trace(
                    IOI,
                    world.block("a", "x = 1; model.transformer.h[0].output; x = 2"),
                    world.block("a", "x = 'later'"))),
    BLOCKS_MEET(world ->
            world.trace(
                    IOI,
                    world.block("a", "model.barrier(2); seen = kept"),
                    world.block(
                            "a", "kept = model.transformer.h[0].output.shape; model.barrier(2)"))),
    WHAT_A_FRAME_SHARED_IS_SEEN_AND_HIDDEN(world -> {
        world.block("a", "x = 'before'; function twice(n) { return 2 * n }").evaluate();
        world.trace(
                IOI,
                world.block("a", "model.transformer.h[0].output; x = x + twice(2)"),
                world.block("a", "model.transformer.h[1].output; seen = x + twice(3)"));
    }),
    THE_SNAPSHOT_HIDES_WHAT_A_SIBLING_BINDS(world -> {
        world.locals("a").put("x", "own");
        world.trace(
                IOI,
                world.block("a", "x = 'new'; model.transformer.h[0].output"),
                world.block("a", "model.transformer.h[1].output; seen = x"));
    }),
    GLOBALS_ARE_BEHIND_ALL(world ->
            world.trace(
                    IOI,
                    world.block("a", "model.transformer.h[0].output; step = step * 4"),
                    world.block("a", "model.transformer.h[1].output; seen = step + factor"))),
    VALUES_ARE_ONE_FOR_ALL_BLOCKS(world -> {
        Object list = new ArrayList<>(List.of(1));
        world.locals("a").put("one", list);
        world.locals("a").put("other", Map.of("same", list));
        world.trace(
                IOI,
                world.block("a", "one.push(2); model.transformer.h[0].output; kept = one"),
                world.block(
                        "a",
                        "model.transformer.h[1].output; seen = [other.same.length, other.same === one]"));
        // What is changed in place, and not assigned, is changed where the block runs.
        world.locals("a").keySet().removeAll(List.of("one", "other"));
    }),
    PARTS_OF_THE_MODEL_ARE_KEPT(world ->
            world.trace(
                    IOI,
                    world.block(
                            "a",
                            "const layer = model.transformer.h[1]\nseen = layer.output.shape"))),
    PARTS_OF_THE_MODEL_COME_BACK_AND_GO_AGAIN(world -> {
        world.trace(
                IOI, world.block("a", "layer = model.transformer.h[1]; visit = model.visit(0)"));
        world.trace(
                IOI,
                world.block("a", "seen = layer.output.shape; x = visit.transformer.h[1].output"));
    }),
    FUNCTIONS_GO_AND_COME(world -> {
        world.block("a", "const times = n => t => t.mul(n)\ndouble = times(2)").run();
        world.trace(IOI, world.block("a", "seen = double(model.transformer.h[0].output)"));
        world.trace(
                IOI,
                world.block(
                        "a",
                        "half = t => t.mul(step); seen = half(model.transformer.h[1].output)"));
        world.trace(IOI, world.block("a", "x = half(double(model.transformer.h[0].output))"));
    }),
    STOPS(world -> {
        world.trace(
                IOI,
                world.block("a", "x = 1; model.transformer.h[1].output; x = 2"),
                world.block("b", "model.transformer.h[0].output; model.stop('enough'); seen = 3"));
    }),
    TENSORS_GO_AND_COME(world -> {
        world.locals("a").put("direction", Tensor.of(new float[64], 64).add(0.25));
        world.locals("a").put("mask", Tensor.of(new boolean[] {true, false}));
        world.locals("a").put("ids", Tensor.of(new long[] {1, 2, 3, 4}, 2, 2).transpose(0, 1));
        String text =
                "const h = model.transformer.h[0].output; seen = [h[0][1].mul(1).numel(), mask, ids];"
                        + " x = { rows: ids.select(0, 1), all: ids, same: direction }";
        world.trace(IOI, world.block("a", text));
    }),
    A_BATCH(world ->
            world.see(
                    world.trace(
                            new Batch<Map<String, Tensor>>()
                                    .add(
                                            world.block(
                                                    "a",
                                                    "seen = model.transformer.h[0].output.shape"),
                                            IOI)
                                    .add(
                                            world.block(
                                                    "b",
                                                    "x = model.transformer.h[0].output; x.zero_()"),
                                            SHORTER)
                                    .add(
                                            world.block(
                                                    "c",
                                                    "seen = model.transformer.h[0].output"))))),
    A_SESSION(world ->
            world.session(
                    List.of(),
                    IOI,
                    List.of(
                            List.of(
                                    world.block(
                                            "a",
                                            "kept = model.transformer.h[0].output; let n = 1\nfunction up() { return ++n }")),
                            List.of(
                                    world.block(
                                            "a", "model.transformer.h[0].output = kept.mul(up())"),
                                    world.block("a", "seen = model.transformer.h[1].output")),
                            List.of(world.block("a", "x = up() + kept.shape[1]"))))),
    A_SESSION_WITH_AN_EDIT(world ->
            world.session(
                    List.of(
                            world.block(
                                    "edit",
                                    "model.transformer.h[0].output.zero_(); edited = true")),
                    IOI,
                    List.of(
                            List.of(world.block("a", "x = model.transformer.h[0].output")),
                            List.of(world.block("a", "seen = model.transformer.h[1].output"))))),
    A_SESSION_THAT_FAILS_LATE(world ->
            world.session(
                    List.of(),
                    IOI,
                    List.of(
                            List.of(world.block("a", "x = model.transformer.h[0].output")),
                            List.of(world.block("b", "seen = 1\n  nowhere()"))))),
    AN_UNKNOWN_POINT(
            world -> world.trace(IOI, world.block("a", "x = 1\n model.transformer.hh[0].output"))),
    A_POINT_THAT_HAS_PASSED(world ->
            world.trace(
                    IOI,
                    world.block(
                            "a",
                            "model.transformer.h[1].output\n\n model.transformer.h[0].output"))),
    A_VISIT_THAT_NEVER_COMES(world ->
            world.trace(
                    IOI,
                    world.block("a", "seen = model.transformer.h[0].output"),
                    world.block("b", "x = 1;\n model.visit(3).transformer.h[1].output"))),
    A_POINT_THAT_IS_CAUGHT(world ->
            world.trace(
                    IOI,
                    world.block(
                            "a",
                            "try { model.visit(3).transformer.h[1].output } catch (e) { seen = e.message }"))),
    A_SHAPE_THAT_DOES_NOT_FIT(world ->
            world.trace(
                    IOI,
                    world.block(
                            "a", "\nconst h = model.transformer.h[0]\nh.output = h.output[0]"))),
    AN_ERROR_IN_A_FUNCTION(world ->
            world.trace(
                    IOI,
                    world.block("b", "seen = model.transformer.h[1].output"),
                    world.block(
                            "a",
                            "function deep(n) {\n  if (n == 0) throw new RangeError('too deep')\n  deep(n - 1)\n}\nx = model.transformer.h[0].output\ndeep(3)"))),
    AN_ERROR_BEFORE_THE_FIRST_POINT(world -> world.trace(IOI, world.block("a", "null.x"))),
    AN_ERROR_AFTER_THE_LAST_POINT(world ->
            world.trace(IOI, world.block("a", "x = model.lm_head.output.shape; undefined.y"))),
    AN_ERROR_WITH_A_CAUSE(world ->
            world.trace(
                    IOI,
                    world.block(
                            "a",
                            "try { model.transformer.h[0].output.matmul(model.transformer.h[0].output) } catch (e) {\n throw new Error('outer', { cause: e }) }"))),
    A_LIMIT(world ->
            world.trace(
                    IOI,
                    world.block("a", "model.transformer.h[0].output\nfor (;;);")
                            .within(Limits.builder().statements(10_000).build()))),
    A_BARRIER_THAT_IS_SHORT(world -> world.trace(IOI, world.block("a", "\nmodel.barrier(5)"))),
    INPUTS_THAT_DO_NOT_FIT(world ->
            world.trace(
                    Map.of("input_ids", Tensor.of(new float[] {1}, 1, 1)),
                    world.block("a", "x = 1"))),
    INPUTS_OF_ANOTHER_NAME(world ->
            world.trace(Map.of("ids", Tensor.of(new long[] {1}, 1, 1)), world.block("a", "x = 1"))),
    AN_ERROR_OF_THE_RUNTIME(world ->
            world.trace(
                    Map.of("input_ids", Tensor.of(new long[] {1_000_000}, 1, 1)),
                    world.block("a", "x = 1; model.transformer.h[1].output"))),
    NO_BLOCKS(world -> world.see(world.trace(IOI)));

    private final Play play;

    TraceScenario(Play play) {
        this.play = play;
    }

    void play(TraceWorld world) throws Exception {
        play.in(world);
    }

    @FunctionalInterface
    private interface Play {
        void in(TraceWorld world) throws Exception;
    }
}
