package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.blockscope.BlockException;
import dev.blockscope.interleave.Batch;
import dev.blockscope.interleave.Trace;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Blocks that are called from inside a run come to what they come to where the graph is cut. */
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
class InlineTest {
    /** Twelve where the fuzzer of files tries twenty thousand, and as many more as that does. */
    private static final int TRIES = Math.max(1, Integer.getInteger("fuzz.inputs", 20_000) / 1_666);

    private static final long SEED = Long.getLong("fuzz.seed", 7);

    private final RealModel real = RealModel.TINY_IOI;
    private final ModelWithBlocks blocks = new ModelWithBlocks(inline(real), real.inputs());
    private final OnnxModel model = blocks.model();
    private final Map<String, @Nullable Object> locals = blocks.locals();

    @AfterEach
    void close() {
        blocks.close();
    }

    /** The differential test: what the two ways see at random points and make of random edits. */
    @ParameterizedTest
    @EnumSource(RealModel.class)
    void seesAndMakesWhatCuttingDoesToTheLastBit(RealModel of) {
        Random random = new Random(SEED);
        try (OnnxModel cutting = of.open();
                OnnxModel calling = inline(of)) {
            List<String> points = Script.inOrder(cutting);
            for (int i = 0; i < TRIES; i++) {
                long seed = random.nextLong();
                Map<String, Tensor> there = new LinkedHashMap<>();
                Map<String, Tensor> here = new LinkedHashMap<>();
                Map<String, Tensor> cut =
                        cutting.runInStep(of.inputs(), edits(points, seed, there));
                Map<String, Tensor> called =
                        calling.runInStep(of.inputs(), edits(points, seed, here));

                assertThat(here.keySet()).as("seed %s", seed).isEqualTo(there.keySet());
                there.forEach((point, value) -> assertSame(here.get(point), value, point, seed));
                cut.forEach((name, value) -> assertSame(called.get(name), value, name, seed));
            }
            assertThat(calling.statistics().builds()).isZero();
            assertThat(calling.ledger().values()).isZero();
        }
    }

    /**
     * Where a tensor is waited for by its name, both ways cut, and come to the same. The plan has
     * what is waited for and no more: a look into what the runtime fuses changes the last bits.
     */
    @ParameterizedTest
    @EnumSource(names = {"MINILM", "TINY_IOI"})
    void atTensorsByTheirNamesItComesToTheSame(RealModel of) {
        Random random = new Random(3);
        try (OnnxModel cutting = of.open();
                OnnxModel calling = inline(of)) {
            List<String> all = new ArrayList<>(Script.inOrder(cutting));
            cutting.tensors().stream()
                    .map(TensorSpec::name)
                    .filter(name -> name.matches(".*(Softmax|Add_1|MatMul)_output_0"))
                    .forEach(name -> all.add(RawTensors.point(name)));
            all.sort(
                    Comparator.comparing(
                            point -> Objects.requireNonNull(cutting.hooks().stop(point)),
                            Stop.ORDER));
            for (int i = 0; i < 3; i++) {
                long seed = random.nextLong();
                Map<String, Tensor> there = new LinkedHashMap<>();
                Map<String, Tensor> here = new LinkedHashMap<>();
                Map<String, Tensor> cut = cutting.runInStep(of.inputs(), edits(all, seed, there));
                Map<String, Tensor> called =
                        calling.runInStep(
                                of.inputs(),
                                edits(all, seed, here),
                                Plan.of(calling.hooks(), there.keySet(), Set.of()));

                assertThat(here.keySet()).as("seed %s", seed).isEqualTo(there.keySet());
                there.forEach((point, value) -> assertSame(here.get(point), value, point, seed));
                cut.forEach((name, value) -> assertSame(called.get(name), value, name, seed));
            }
        }
    }

    @Test
    void aTensorByItsNameThatTheTextDoesNotShowIsAnErrorThatSaysWhatToDo() {
        locals.put("model", model.envoy());
        blocks.capture("read = () => model.tensor('/transformer/h.1/Add_1_output_0').output").run();

        assertThatThrownBy(() -> trace("a = read()"))
                .hasMessageContaining("tensor('/transformer/h.1/Add_1_output_0').output")
                .hasMessageContaining("without inline(true)");
        assertSame(
                trace("a = model.tensor('/transformer/h.1/Add_1_output_0').output")
                        .result()
                        .get("logits"),
                Objects.requireNonNull(model.run(real.inputs()).get("logits")),
                "logits",
                0);
    }

    /** Waits at random points and reads, replaces, or changes in place what comes. */
    private static Script edits(List<String> points, long seed, Map<String, Tensor> seen) {
        Random random = new Random(seed);
        Script script = new Script();
        int many = 1 + random.nextInt(10);
        List<Integer> chosen =
                random.ints(0, points.size()).distinct().limit(many).sorted().boxed().toList();
        for (int at : chosen) {
            String point = points.get(at);
            int what = random.nextInt(4);
            double by = random.nextInt(-8, 9) / 8.0;
            script.at(
                    point,
                    tensor -> {
                        seen.put(point, tensor.clone());
                        return switch (what) {
                            case 0 -> tensor;
                            case 1 -> tensor.add(by);
                            case 2 -> tensor.mul_(by);
                            default -> {
                                tensor.at(0, 1).fill_(by);
                                yield tensor;
                            }
                        };
                    });
        }
        return script;
    }

    @ParameterizedTest
    @EnumSource(RealModel.class)
    void withEveryModuleHookedTheResultIsThatOfTheWholeModel(RealModel of) {
        try (OnnxModel calling = inline(of)) {
            Map<String, Tensor> outputs =
                    calling.runInStep(of.inputs(), Script.reading(Script.inOrder(calling)));

            calling.run(of.inputs())
                    .forEach((name, value) -> assertSame(outputs.get(name), value, name, 0));
        }
    }

    @Test
    void whatABlockThrowsComesOutAsItselfAndTheNextRunIsWell() {
        assertThatThrownBy(() -> trace("model.transformer.h[1].output; throw new Error('enough')"))
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("enough");
        assertThatThrownBy(() -> trace("model.transformer.h[1].output = 3"))
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("given the number 3");

        assertSame(
                trace("a = model.transformer.h[1].output").result().get("logits"),
                Objects.requireNonNull(model.run(real.inputs()).get("logits")),
                "logits",
                0);
    }

    @Test
    void whatAVisitThrowsIsTheVeryObject() {
        for (Throwable thrown :
                List.of(new IllegalStateException("stop"), new StackOverflowError("deep"))) {
            Script script =
                    new Script()
                            .at(
                                    "transformer.h.1.output",
                                    _ -> {
                                        if (thrown instanceof Error error) {
                                            throw error;
                                        }
                                        throw (RuntimeException) thrown;
                                    });

            assertThatThrownBy(() -> model.runInStep(real.inputs(), script)).isSameAs(thrown);
        }
    }

    /** An exception that left a callback would end the JVM. */
    @Test
    void whatAListenerThrowsWhenItIsToldOfAFailureEndsTheRunAndNoMore() throws Exception {
        SessionSettings settings = new SessionSettings(real.file(), 1, false);
        byte[] hooked =
                new SegmentWriter(OnnxFile.read(real.file()))
                        .writeHooked(stop("transformer.h.0.output").tensors());
        List<String> told = new ArrayList<>();
        HookOperator.Listener throwing =
                new HookOperator.Listener() {
                    @Override
                    public void pass(int id, long[] shape, MemorySegment in, MemorySegment out) {
                        throw new StackOverflowError("at hook " + id);
                    }

                    @Override
                    public void failed(Throwable e) {
                        told.add(String.valueOf(e.getMessage()));
                        throw new OutOfMemoryError("while it was told");
                    }
                };
        Tensor ids = Objects.requireNonNull(real.inputs().get("input_ids"));
        HookOperator.Listener before = HookOperator.listen(throwing);
        try (OrtSession session = settings.openHooked(hooked);
                NativeTensors given = new NativeTensors(model.ledger())) {
            given.put("input_ids", ids);

            assertThatThrownBy(() -> session.run(Map.of("input_ids", given.get("input_ids"))))
                    .isInstanceOf(OrtException.class)
                    .hasMessageContaining("a hook ended the run")
                    .hasMessageContaining("at hook 0");
            assertThat(told).containsExactly("at hook 0");
        } finally {
            HookOperator.listen(before);
        }
    }

    @Test
    void aFailureThatTheRuntimeCouldNotBeToldIsTheResultOfTheRun() throws Exception {
        ModelFacts facts = ModelFacts.of(new SessionSettings(real.file(), 1, false));
        InlineRun run =
                new InlineRun(facts, List.of(), new Script(), new Term(new Buffers(0)), false);
        run.failed(new OutOfMemoryError("for the answer"));

        assertThatThrownBy(run::rethrow).isInstanceOf(OutOfMemoryError.class);
        assertThatThrownBy(() -> run.pass(0, new long[0], MemorySegment.NULL, MemorySegment.NULL))
                .hasMessage("the run has failed at an earlier hook");
    }

    @Test
    void aProbeEndsWhereNobodyWaitsAnyMoreAndCutsNothing() {
        model.probe(
                real.inputs(),
                blocks.capture(
                        """
                        const h = model.transformer.h[0]
                        a = h.ln_1.output
                        h.output = h.output.mul(2)
                        b = model.transformer.h[1].ln_1.output
                        """));
        Tensor a = blocks.tensor("a");
        Tensor b = blocks.tensor("b");
        assertThat(model.statistics().builds()).isZero();

        trace(
                """
                a = model.transformer.h[0].ln_1.output
                model.transformer.h[0].output.mul_(2)
                b = model.transformer.h[1].ln_1.output
                """);
        assertSame(a, blocks.tensor("a"), "a", 0);
        assertSame(b, blocks.tensor("b"), "b", 0);
    }

    @Test
    void aProbeEndsAtTheLastPointThatSomebodyWaitsFor() throws Exception {
        ModelFacts facts = ModelFacts.of(new SessionSettings(real.file(), 1, false));
        String first = "transformer.h.0.output";
        String last = "transformer.h.2.output";
        InlineRun run =
                new InlineRun(
                        facts,
                        List.of(List.of(stop(first)), List.of(stop(last))),
                        new Script().reading(first),
                        new Term(new Buffers(0)),
                        true);
        MemorySegment one = MemorySegment.ofBuffer(ByteBuffer.allocateDirect(4));

        assertThatThrownBy(() -> run.pass(0, new long[] {1}, one, one))
                .hasMessage("nobody waits for a point any more");
        assertThat(run.isOver()).isTrue();
    }

    @Test
    void aProbeThatWaitsForNothingRunsNothing() {
        model.probe(real.inputs(), blocks.capture("x = 1"));

        assertThat(locals.get("x")).isEqualTo(1);
        assertThat(model.ledger().sessions()).isZero();
    }

    @Test
    void aProbeThatAsksForAPassedPointIsToldSo() {
        String text = "model.transformer.h[1].output; model.transformer.h[0].output";

        assertThatThrownBy(() -> model.probe(real.inputs(), blocks.capture(text)))
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("already passed");
    }

    @Test
    void aProbeOfTheEntryIntoAModuleRunsByCutting() {
        model.probe(real.inputs(), blocks.capture("a = model.transformer.h[1].mlp.input"));

        assertThat(blocks.tensor("a").dim()).isEqualTo(3);
        assertThat(model.statistics().builds()).isPositive();
    }

    @Test
    void aBlockStopsTheRun() {
        Trace<Map<String, Tensor>> trace =
                trace("a = model.transformer.h[0].output.shape; model.stop('seen enough')");

        assertThat(trace.stopped()).isPresent();
        assertThat(locals.get("a")).asString().contains("8");
    }

    @Test
    void aPointThatHasPassedIsAnErrorThatCanBeCaught() {
        trace(
                """
                model.transformer.h[1].output
                try { model.transformer.h[0].output } catch (e) { said = e.message }
                """);

        assertThat(locals.get("said")).asString().contains("already passed");
    }

    @Test
    void aBlockAtTheEntryIntoAModuleRunsByCutting() {
        trace("const mlp = model.transformer.h[1].mlp; mlp.input = mlp.input.mul(2)");

        assertThat(model.statistics().builds()).isPositive();
    }

    @Test
    void anEntryThatTheTextDoesNotShowIsAnErrorThatSaysWhatToDo() {
        assertThatThrownBy(() -> trace("const { input } = model.transformer.h[1].mlp"))
                .hasMessageContaining("transformer.h.1.mlp.inputs")
                .hasMessageContaining("without inline(true)");
    }

    @Test
    void aBatchComesToTheSame() {
        String edit = "model.encoder.layer[2].output.mul_(2)";
        List<Map<String, Tensor>> results = new ArrayList<>();
        for (OnnxModel of : List.of(RealModel.MINILM.open(), inline(RealModel.MINILM))) {
            try (of) {
                Map<String, Tensor> inputs = RealModel.MINILM.inputs();
                Batch<Map<String, Tensor>> batch = new Batch<>();
                batch.add(blocks.capture(of, edit), inputs).add(blocks.capture(of, "1"), inputs);
                results.addAll(of.trace(batch).result());
            }
        }

        for (int i = 0; i < 2; i++) {
            Map<String, Tensor> called = results.get(i + 2);
            results.get(i).forEach((name, value) -> assertSame(called.get(name), value, name, 0));
        }
    }

    @Test
    void aGenerationComesToTheSame() {
        String text =
                """
                for (const step of model.all()) step.transformer.h[1].output.mul_(1.5)
                """;
        try (OnnxModel cutting = real.open()) {
            assertThat(generated(model, text)).isEqualTo(generated(cutting, text));
        }
    }

    private List<Long> generated(OnnxModel of, String text) {
        return Generator.builder(of)
                .tokens(5)
                .build()
                .generate(GeneratorTest.prompt(1, 41, 21, 22), blocks.capture(of, text))
                .result()
                .ids();
    }

    @Test
    void refusesSeveralThreads() {
        assertThatThrownBy(() -> OnnxModel.builder().inline(true).threads(2).open(real.file()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("threads is 2");
    }

    @Test
    void refusesModulesThatMakeNoFloats(@TempDir Path folder) {
        TinyModel whole =
                new TinyModel()
                        .input("x", DType.INT64, "2")
                        .output("y", DType.INT64)
                        .node("Neg", "/net/first/Neg", "x", "h")
                        .node("Abs", "/net/last/Abs", "h", "y");

        assertThatThrownBy(() -> OnnxModel.builder().inline(true).open(whole.writeTo(folder)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("net.first.output")
                .hasMessageContaining("int64");
    }

    private Stop stop(String point) {
        return Objects.requireNonNull(model.hooks().stop(point));
    }

    private static OnnxModel inline(RealModel of) {
        try {
            return OnnxModel.builder().inline(true).open(of.file());
        } catch (OnnxFileException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Trace<Map<String, Tensor>> trace(String text) {
        return blocks.trace(text);
    }

    private static void assertSame(@Nullable Tensor one, Tensor other, String what, long seed) {
        assertThat(Objects.requireNonNull(one).sub(other).abs().max())
                .as("%s, seed %s", what, seed)
                .isZero();
    }
}
