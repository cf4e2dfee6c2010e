package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.blockscope.BlockException;
import dev.blockscope.interleave.Batch;
import dev.blockscope.interleave.HookException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks at tensors that belong to no module, by the names that they have in the file. */
class RawTensorTest {
    private static final String SOFTMAX = "/transformer/h.1/attn/Softmax_output_0";
    private static final String IN_A_LAYER = "model.tensor('%s')".formatted(SOFTMAX);

    private static final int READ = 0;
    private static final int CHANGE = 2;

    private final ModelWithBlocks blocks = ModelWithBlocks.of(RealModel.TINY_IOI);
    private final OnnxModel model = blocks.model();
    private final Map<String, @Nullable Object> locals = blocks.locals();

    @AfterEach
    void close() {
        blocks.close();
    }

    @Nested
    class InABlock {
        @Test
        void oneIsRead() {
            Map<String, Tensor> outputs = trace("p = %s.output".formatted(IN_A_LAYER));

            assertThat(tensor("p").shape()).containsExactly(1, 4, 8, 8);
            assertThat(tensor("p").sum(-1).sub(1).abs().max()).isLessThan(1e-6);
            assertThat(tensor("p").at(0, 0, 0, 1).item()).as("a causal model").isZero();
            assertSame(outputs.get("logits"), model.run(blocks.inputs()).get("logits"));
        }

        @Test
        void oneIsReplacedForEverybodyWhoReadsItLater() {
            Map<String, Tensor> replaced =
                    trace("const t = %s; t.output = t.output.mul(0)".formatted(IN_A_LAYER));
            Map<String, Tensor> inPlace = trace("%s.output.zero_()".formatted(IN_A_LAYER));
            trace(
                    """
                    %s.output.zero_()
                    read = model.transformer.h[1].attn.c_proj.input.abs().max()
                    """
                            .formatted(IN_A_LAYER));

            assertSame(replaced.get("logits"), inPlace.get("logits"));
            assertThat(locals.get("read")).isEqualTo(0);
            assertThat(difference(inPlace.get("logits"), model.run(blocks.inputs()).get("logits")))
                    .isGreaterThan(1e-3);
        }

        @Test
        void theTensorOfAModuleIsTheModulesOutput() {
            String name =
                    model.modules().find("transformer.h.1").orElseThrow().output().orElseThrow();
            trace(
                    """
                    const t = model.tensor('%s')
                    const before = t.output
                    t.output = before.mul(2)
                    seen = model.transformer.h[1].output.sub(before.mul(2)).abs().max()
                    model.transformer.h[1].output.zero_()
                    read = model.transformer.h[2].input.abs().max()
                    """
                            .formatted(name));
            trace(
                    """
                    model.transformer.h[1].output.zero_()
                    after = model.tensor('%s').output.abs().max()
                    """
                            .formatted(name));

            assertThat(locals.get("seen")).isEqualTo(0);
            assertThat(locals.get("read")).isEqualTo(0);
            assertThat(locals.get("after")).isEqualTo(0);
        }

        @Test
        void whatTheModelIsGivenIsATensorToo() {
            Map<String, Tensor> replaced =
                    trace("const ids = model.tensor('input_ids'); ids.output = ids.output.mul(0)");
            Map<String, Tensor> given =
                    model.run(Map.of("input_ids", Tensor.of(new long[8], 1, 8)));

            assertSame(replaced.get("logits"), given.get("logits"));
        }

        @ParameterizedTest
        @ValueSource(
                strings = {
                    "p = [0, 1, 2].map(i => model.tensor(`/transformer/h.${i}/attn/Softmax_output_0`).output)[1]",
                    "p = model.tensor('/transformer/h.' + 1 + '/attn/Softmax_output_0').output",
                    "const name = ['/transformer', 'h.1', 'attn', 'Softmax_output_0'].join('/'); p = model.tensor(name).output",
                    "const { tensor } = model; p = tensor(names[0])['output']",
                    "p = read(names[0])",
                    "const { output } = model.$tensor(names[0]); p = output",
                    "t = model.tensor(names[0]); p = model.module(\"tensor('\" + names[0] + \"')\").output",
                })
        void aNameThatIsComputedComesToTheSame(String text) {
            trace("p = %s.output".formatted(IN_A_LAYER));
            Tensor expected = tensor("p");
            locals.put("names", List.of(SOFTMAX));
            locals.put("model", model.envoy());
            blocks.capture("read = name => model.tensor(name).output").run();

            trace(text);
            assertSame(tensor("p"), expected);
            long builds = model.statistics().builds();
            trace(text);

            assertSame(tensor("p"), expected);
            assertThat(model.statistics().builds()).isEqualTo(builds);
        }

        @Test
        void anEditByANameThatIsComputedComesToTheSame() {
            Map<String, Tensor> written = trace("%s.output.mul_(2)".formatted(IN_A_LAYER));
            locals.put("names", List.of(SOFTMAX));

            Map<String, Tensor> computed = trace("model.tensor(names[0]).output['mul_'](2)");

            assertSame(computed.get("logits"), written.get("logits"));
        }

        @Test
        void itShowsAsWhatItIsCalled() {
            trace(
                    "t = String(model.tensor('input_ids')); whole = String(model); keys = Object.keys(model)");

            assertThat(locals.get("t")).isEqualTo("output");
            assertThat(locals.get("whole"))
                    .asString()
                    .endsWith("tensor(name)  %d by name".formatted(model.tensors().size()));
            assertThat(locals.get("keys")).hasToString("[transformer, lm_head]");
        }
    }

    @Nested
    class Errors {
        @Test
        void anUnknownNameIsToldWithTheNearestAtItsLine() {
            assertThatThrownBy(
                            () -> trace("\nmodel.tensor('/transformer/h.1/attn/SoftMax_output_0')"))
                    .isInstanceOf(BlockException.class)
                    .hasMessageContaining(
                            "the model has no tensor \"/transformer/h.1/attn/SoftMax_output_0\"; the nearest are "
                                    + SOFTMAX)
                    .hasCauseInstanceOf(HookException.class)
                    .satisfies(e -> {
                        assertThat(((BlockException) e).traceback().entries().getFirst().line())
                                .isEqualTo(2);
                        assertThat(((HookException) e.getCause()).reason())
                                .isEqualTo(HookException.Reason.UNKNOWN);
                    });
        }

        @Test
        void aConstantIsNoPoint() {
            assertThatThrownBy(() -> trace("model.tensor('transformer.wte.weight').output"))
                    .hasMessageContaining("is a constant of the model");
        }

        @Test
        void oneThatHasPassedIsToldAsAModuleIs() {
            trace(
                    """
                    model.transformer.h[2].output
                    try { %s.output } catch (e) { said = e.message }
                    """
                            .formatted(IN_A_LAYER));

            assertThat(locals.get("said"))
                    .asString()
                    .contains(
                            "the computation has already passed \"tensor('"
                                    + SOFTMAX
                                    + "').output\", visit 0 of 1 so far");
        }

        @Test
        void onePassedOnTheWayToAnotherIsTold() {
            assertThatThrownBy(() ->
                            trace(
                                    "%s.output; model.tensor('input_ids').output"
                                            .formatted(IN_A_LAYER)))
                    .hasMessageContaining("already passed \"tensor('input_ids').output\"");
        }

        @ParameterizedTest
        @ValueSource(
                strings = {"model.tensor()", "model.tensor(3)", "model.tensor('input_ids', 1)"})
        void aCallTakesOneName(String text) {
            assertThatThrownBy(() -> trace(text)).hasMessageContaining("tensor(name) takes a name");
        }

        @Test
        void itIsNoModuleAndCannotBeSkipped() {
            assertThatThrownBy(() -> trace("%s.skip(1)".formatted(IN_A_LAYER)))
                    .hasMessageContaining("cannot be skipped: it is not a module");
            assertThatThrownBy(() -> trace("%s.input".formatted(IN_A_LAYER)))
                    .hasMessageContaining("the nearest are tensor('" + SOFTMAX + "').output");
            assertThatThrownBy(() -> trace("model.transformer.tensor('input_ids')"))
                    .hasMessageContaining("there is no hook point \"transformer.tensor\"");
        }

        @Test
        void aNameAskedForAsAPartIsToldHow() {
            assertThatThrownBy(() -> trace("model['%s'].output".formatted(SOFTMAX)))
                    .hasMessageContaining("ask for it by its name, as tensor('" + SOFTMAX + "')");
        }

        @Test
        void whatDoesNotFitIsAnErrorAtItsLine() {
            assertThatThrownBy(() -> trace("\n%s.output = 3".formatted(IN_A_LAYER)))
                    .isInstanceOf(BlockException.class)
                    .hasMessageContaining(
                            "expected a tensor float32 [1, 4, 8, 8], given the number 3");
        }
    }

    @Nested
    class Plans {
        @Test
        void readsAddNoCut() {
            trace("p = %s.output; a = model.transformer.h[1].output".formatted(IN_A_LAYER));

            assertThat(model.statistics().builds()).isEqualTo(1);
        }

        @Test
        void anEditIsTheOnlyCut() {
            trace(
                    """
                    a = model.transformer.h[0].output
                    %1$s.output = %1$s.output.mul(2)
                    b = model.transformer.h[2].output
                    """
                            .formatted(IN_A_LAYER));

            assertThat(model.statistics().builds()).isEqualTo(2);
        }

        @Test
        void aProbeRunsNoFurtherThanTheTensor() {
            model.probe(blocks.inputs(), blocks.capture("p = %s.output".formatted(IN_A_LAYER)));

            assertThat(tensor("p").shape()).containsExactly(1, 4, 8, 8);
            assertThat(model.statistics().builds()).isEqualTo(1);
        }

        @ParameterizedTest
        @EnumSource(RealModel.class)
        void whatIsSeenAndMadeAtRandomTensorsDoesNotDependOnWhereTheGraphIsCut(RealModel real) {
            try (OnnxModel of = real.open()) {
                Random random = new Random(11);
                List<String> all = byName(of);
                for (int i = 0; i < 4; i++) {
                    long seed = random.nextLong();
                    List<String> points = some(all, Script.inOrder(of), of, new Random(seed));
                    Map<String, Tensor> ahead = new LinkedHashMap<>();
                    Map<String, Tensor> stepwise = new LinkedHashMap<>();
                    Map<String, Tensor> inOnePiece =
                            of.runInStep(
                                    real.inputs(),
                                    script(points, seed, CHANGE, ahead),
                                    Plan.of(of.hooks(), points, Set.of()));
                    Map<String, Tensor> inPieces =
                            of.runInStep(
                                    real.inputs(),
                                    script(points, seed, CHANGE, stepwise),
                                    Plan.of(of.hooks(), points, points));

                    assertThat(ahead.keySet()).containsExactlyElementsOf(points);
                    ahead.forEach(
                            (point, value) -> assertSame(stepwise.get(point), value, point, seed));
                    inOnePiece.forEach(
                            (name, value) -> assertSame(inPieces.get(name), value, name, seed));
                    assertThat(of.ledger().values()).isZero();
                }
            }
        }

        /**
         * What the runtime fuses into one operation, it makes step by step where somebody looks in;
         * so it is compared with the runtime's own run in which everything is looked at.
         */
        @ParameterizedTest
        @EnumSource(RealModel.class)
        void everyTensorIsSeenAsTheBareRuntimeMakesIt(RealModel real) throws Exception {
            byte[] bytes = new SegmentWriter(OnnxFile.read(real.file())).writeAllOutputs();
            SessionSettings settings = new SessionSettings(real.file(), 1, false);
            try (OnnxModel of = real.open();
                    OrtSession bare = settings.openSegment(bytes);
                    NativeTensors made = new NativeTensors(of.ledger())) {
                List<String> points = byName(of);
                Map<String, Tensor> seen = new LinkedHashMap<>();
                Map<String, Tensor> outputs =
                        of.runInStep(
                                real.inputs(),
                                script(points, 0, READ, seen),
                                Plan.of(of.hooks(), points, Set.of()));
                run(bare, real.inputs(), made);

                assertThat(of.statistics().builds()).isEqualTo(1);
                assertThat(seen.keySet()).containsExactlyElementsOf(points);
                for (TensorSpec spec : of.tensors()) {
                    Tensor expected = made.copy(spec.name(), spec.dtype());
                    assertSame(seen.get(RawTensors.point(spec.name())), expected, spec.name(), 0);
                }
                outputs.forEach((name, value) ->
                        assertSame(value, made.copy(name, value.dtype()), name, 0));
            }
        }

        private void run(OrtSession bare, Map<String, Tensor> inputs, NativeTensors into)
                throws OrtException {
            Map<String, OnnxTensor> fed = new LinkedHashMap<>();
            for (Map.Entry<String, Tensor> input : inputs.entrySet()) {
                into.put(input.getKey(), input.getValue());
                fed.put(input.getKey(), into.get(input.getKey()));
            }
            into.takeAll(bare.run(fed));
        }
    }

    @Nested
    class WhereverModulesAreReached {
        @Test
        void aCacheKeepsTensorsByNameAndByPattern() {
            Cached cached =
                    model.cache(
                            blocks.inputs(),
                            List.of(
                                    "/transformer/h.*/attn/Softmax_output_0",
                                    "transformer.wte",
                                    "input_ids"));
            trace("p = %s.output".formatted(IN_A_LAYER));

            assertThat(cached.values().keySet())
                    .containsExactly(
                            RawTensors.point("input_ids"),
                            "transformer.wte.output",
                            RawTensors.point("/transformer/h.0/attn/Softmax_output_0"),
                            RawTensors.point(SOFTMAX),
                            RawTensors.point("/transformer/h.2/attn/Softmax_output_0"));
            assertSame(cached.of(SOFTMAX), tensor("p"));
            assertThat(cached.of(RawTensors.point(SOFTMAX))).isSameAs(cached.of(SOFTMAX));
            assertThat(model.statistics().builds()).isEqualTo(2);
        }

        @Test
        void aScanTellsTheShapeOfATensor() {
            assertThat(model.scan(SOFTMAX))
                    .hasToString(SOFTMAX + ": float32 [batch, 4, sequence, sequence]");
            assertThatThrownBy(() -> model.scan("transformer.h.1"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the model has no tensor \"transformer.h.1\"");
        }

        @Test
        void inABatchABlockSeesAndChangesItsRowsOnly() {
            Map<String, Tensor> edited =
                    trace("p = %1$s.output; %1$s.output = p.mul(2)".formatted(IN_A_LAYER));
            Tensor alone = tensor("p");
            Batch<Map<String, Tensor>> batch = new Batch<>();
            batch.add(blocks.capture("%s.output.mul_(2)".formatted(IN_A_LAYER)), blocks.inputs());
            batch.add(blocks.capture("q = %s.output".formatted(IN_A_LAYER)), blocks.inputs());
            batch.add(blocks.capture("all = %s.output.shape".formatted(IN_A_LAYER)));

            List<Map<String, Tensor>> outputs = model.trace(batch).result();

            assertThat(locals.get("all")).hasToString("[2, 4, 8, 8]");
            assertThat(difference(tensor("q"), alone)).isLessThan(1e-6);
            assertThat(difference(outputs.get(0).get("logits"), edited.get("logits")))
                    .isLessThan(1e-5);
            assertThat(
                            difference(
                                    outputs.get(1).get("logits"),
                                    model.run(blocks.inputs()).get("logits")))
                    .isLessThan(1e-5);
        }

        @Test
        void inAGenerationEachStepIsAVisit() {
            Generator generator = Generator.builder(model).tokens(3).build();

            generator.generate(
                    GeneratorTest.prompt(1, 41, 21, 22),
                    blocks.capture(
                            """
                            sizes = []; ids = []; late = []
                            for (const step of model.all()) {
                              ids.push(step.tensor('input_ids').output.shape[1])
                              sizes.push(step.tensor('%1$s').output.shape[3])
                              if (step.index == 1) {
                                try { step.tensor('/transformer/h.0/attn/Softmax_output_0').output } catch (e) { late.push(e.message) }
                              }
                            }
                            """
                                    .formatted(SOFTMAX)),
                    blocks.capture(
                            "third = model.tensor('%s').visit(2).output.shape[3]"
                                    .formatted(SOFTMAX)),
                    blocks.capture(
                            "turns = []; for (const t of %s.all()) turns.push(t.output.shape[3])"
                                    .formatted(IN_A_LAYER)));

            assertThat(locals.get("ids")).hasToString("[4, 5, 6]");
            assertThat(locals.get("sizes")).hasToString("[4, 5, 6]");
            assertThat(locals.get("turns")).hasToString("[4, 5, 6]");
            assertThat(locals.get("third")).isEqualTo(6);
            assertThat(locals.get("late")).asString().contains("visit 1 of 2 so far");
        }

        @Test
        void insideASkippedModuleNoneIsReachedAndItsOutputIsWhatIsGiven() {
            String skip = "const layer = model.transformer.h[1]; layer.skip(layer.input.mul(0))\n";
            String made =
                    model.modules().find("transformer.h.1").orElseThrow().output().orElseThrow();
            trace(skip + "made = model.tensor('%s').output.abs().max()".formatted(made));

            assertThat(locals.get("made")).isEqualTo(0);
            assertThatThrownBy(() -> trace(skip + "%s.output".formatted(IN_A_LAYER)))
                    .hasMessageContaining(
                            "ended without reaching \"tensor('" + SOFTMAX + "').output\"");
        }

        @Test
        void inABranchItIsToldWhereItIs(@TempDir Path folder) throws Exception {
            try (OnnxModel branching = OnnxModel.open(GraphKindsTest.branching().writeTo(folder))) {
                Map<String, Tensor> inputs =
                        Map.of(
                                "x", Tensor.of(new float[] {3, -1}),
                                "flag", Tensor.of(new boolean[] {true}));

                assertThatThrownBy(() ->
                                branching.trace(
                                        inputs,
                                        blocks.capture(branching, "model.tensor('twice').output")))
                        .isInstanceOf(BlockException.class)
                        .hasMessageContaining("\"twice\" is inside node 1 (If \"/net/choice/If\")");
                branching.trace(
                        inputs,
                        blocks.capture(
                                branching,
                                "model.tensor('h').output.add_(1); y = model.tensor('y').output.data[0]"));
                assertThat(locals.get("y")).isEqualTo(8);
            }
        }
    }

    @Nested
    class InAFileWithoutModuleNames {
        @TempDir Path folder;

        private OnnxModel plain() throws OnnxFileException {
            return OnnxModel.open(
                    new TinyModel()
                            .input("x", DType.FLOAT32, "2")
                            .output("y", DType.FLOAT32)
                            .node("Relu", "", "x", "a.b/c")
                            .node("Neg", "minus", "a.b/c", "y")
                            .writeTo(folder));
        }

        @Test
        void tensorsAreReachedByTheirNames() throws Exception {
            try (OnnxModel plain = plain()) {
                Map<String, Tensor> x = Map.of("x", Tensor.of(new float[] {1, -2}));
                Map<String, Tensor> outputs =
                        plain.trace(
                                        x,
                                        blocks.capture(
                                                plain,
                                                "n = 0; for (const step of model.all()) { n++; step.tensor('a.b/c').output.add_(1) }"))
                                .result();

                assertThat(Objects.requireNonNull(outputs.get("y")).toFloatArray())
                        .containsExactly(-2, -1);
                assertThat(locals.get("n")).isEqualTo(1);
            }
        }

        @Test
        void anUnknownModuleAndTheTreeSaySo() throws Exception {
            try (OnnxModel plain = plain()) {
                Map<String, Tensor> x = Map.of("x", Tensor.of(new float[] {1, -2}));

                assertThatThrownBy(
                                () -> plain.trace(x, blocks.capture(plain, "model.encoder.layer")))
                        .isInstanceOf(BlockException.class)
                        .hasMessageContaining("there is no hook point \"encoder\"")
                        .hasMessageContaining("ask for values by their names, as tensor('");
                assertThat(plain.toString())
                        .contains("no modules")
                        .contains("model.tensor('name').output");
            }
        }
    }

    private static List<String> byName(OnnxModel of) {
        return of.tensors().stream().map(TensorSpec::name).map(RawTensors::point).toList();
    }

    private static List<String> some(
            List<String> byName, List<String> ofModules, OnnxModel of, Random random) {
        List<String> points = new ArrayList<>();
        random.ints(0, byName.size()).distinct().limit(6).forEach(i -> points.add(byName.get(i)));
        random.ints(0, ofModules.size())
                .distinct()
                .limit(3)
                .forEach(i -> points.add(ofModules.get(i)));
        points.sort((a, b) ->
                Stop.ORDER.compare(
                        Objects.requireNonNull(of.hooks().stop(a)),
                        Objects.requireNonNull(of.hooks().stop(b))));
        return points;
    }

    /** Waits at points and reads what is there, or changes it if these are no indices. */
    private static Script script(
            List<String> points, long seed, int most, Map<String, Tensor> seen) {
        Random random = new Random(seed);
        Script script = new Script();
        for (String point : points) {
            int what = random.nextInt(most + 1);
            double by = random.nextInt(4, 9) / 8.0;
            script.at(
                    point,
                    tensor -> {
                        seen.put(point, tensor.clone());
                        boolean reads = what == READ || tensor.dtype() != DType.FLOAT32;
                        return reads ? tensor : what == CHANGE ? tensor.mul_(by) : tensor.add(by);
                    });
        }
        return script;
    }

    private Map<String, Tensor> trace(String text) {
        return blocks.trace(text).result();
    }

    private Tensor tensor(String name) {
        return blocks.tensor(name);
    }

    private static double difference(@Nullable Tensor one, @Nullable Tensor other) {
        return Objects.requireNonNull(one).sub(Objects.requireNonNull(other)).abs().max();
    }

    private static void assertSame(@Nullable Tensor one, @Nullable Tensor other) {
        assertThat(difference(one, other)).isZero();
    }

    private static void assertSame(@Nullable Tensor one, Tensor other, String what, long seed) {
        assertThat(Objects.requireNonNull(one).shape()).isEqualTo(other.shape());
        assertThat(one.clone().storage().bytes())
                .as("%s, seed %s", what, seed)
                .isEqualTo(other.clone().storage().bytes());
    }
}
