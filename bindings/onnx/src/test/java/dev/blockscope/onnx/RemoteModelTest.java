package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.Frame;
import dev.blockscope.Limits;
import dev.blockscope.interleave.Batch;
import dev.blockscope.wire.DispatchException;
import dev.blockscope.wire.Dispatcher;
import dev.blockscope.wire.EnvelopeRunner;
import dev.blockscope.wire.RemoteTrace;
import dev.blockscope.wire.Traced;
import dev.blockscope.wire.UnsendableException;
import java.net.Socket;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Traces of a model that is elsewhere come to what they come to here. */
@Timeout(120)
final class RemoteModelTest {
    private OnnxModel model;
    private BlockEngine engine;
    private BlockEngine workers;
    private Dispatcher dispatcher;

    @BeforeEach
    void open() throws OnnxFileException {
        model = OnnxModel.builder().causal(true).open(RealModel.TINY_IOI.file());
        engine = BlockEngine.create();
        workers = BlockEngine.create();
        dispatcher =
                Dispatcher.inJvm(
                        new EnvelopeRunner(
                                workers,
                                ModelVocabulary.hosting(Map.of("ioi", model)),
                                Limits.NONE),
                        2,
                        10);
    }

    @AfterEach
    void closeAndFindNothingLeft() {
        assertThat(workers.leasedThreads()).isZero();
        dispatcher.close();
        workers.close();
        engine.close();
        model.close();
        assertThat(model.ledger().values()).isZero();
        assertThat(model.ledger().sessions()).isZero();
    }

    private RemoteModel remote() {
        return RemoteModel.of(dispatcher.toModel("ioi"));
    }

    @ParameterizedTest
    @EnumSource
    void whatAUserSeesIsTheSame(TraceScenario scenario) {
        List<String> here = new TraceWorld.Here(model, engine).seen(scenario);
        assertThat(new TraceWorld.Elsewhere(remote(), engine).seen(scenario)).isEqualTo(here);
    }

    @Test
    void nothingIsLeftHoweverOftenTracesEndInWhateverWay() {
        int most = 4 * Runtime.getRuntime().availableProcessors();
        for (TraceScenario scenario : TraceScenario.values()) {
            new TraceWorld.Elsewhere(remote(), engine).seen(scenario);
            assertThat(workers.leasedThreads()).isZero();
            assertThat(workers.openContexts())
                    .as("contexts after %s", scenario)
                    .isLessThanOrEqualTo(most);
        }
    }

    private Map<String, Object> locals() {
        return new HashMap<>(Map.of("model", remote().envoy()));
    }

    private Block block(String text, Map<String, Object> locals) {
        return engine.capture(text, Frame.of(locals));
    }

    @Test
    void theModelsOutputsComeOnlyIfAskedFor() throws Exception {
        Block block = block("model.transformer.h[0].output", locals());
        assertThat(remote().trace(TraceWorld.IOI, block).future().get().result()).isNull();
        Traced<Map<String, Tensor>> traced =
                remote().withOutputs().trace(TraceWorld.IOI, block).future().get();
        assertThat(String.valueOf(traced.result())).isEqualTo(model.run(TraceWorld.IOI).toString());
        Traced<List<Map<String, Tensor>>> one =
                remote().withOutputs()
                        .session()
                        .trace(TraceWorld.IOI, block)
                        .submit()
                        .future()
                        .get()
                        .getFirst();
        assertThat(String.valueOf(one.result()))
                .isEqualTo(List.of(model.run(TraceWorld.IOI)).toString());
    }

    @Test
    void aModelDescribesItselfWithoutATrace() throws Exception {
        ModelDescription here = ModelDescription.of(model);
        ModelDescription there = remote().describe().get();
        assertThat(there.inputs()).isEqualTo(model.inputs());
        assertThat(there.outputs()).isEqualTo(model.outputs());
        assertThat(there.parameters()).isEqualTo(model.parameters());
        assertThat(there.modules().roots()).isEqualTo(model.modules().roots());
        assertThat(there.points()).isEqualTo(model.scan());
        assertThat(there.tensors())
                .hasSameSizeAs(model.tensors())
                .contains(model.scan("/transformer/h.1/attn/Softmax_output_0"));
        assertThat(there.toString()).isEqualTo(here.toString()).contains("h.1");
        Tokens tokens = new Tokens("ab", List.of(new Token("a", 3, 0, 1), new Token("b", 4, 1, 2)));
        assertThat(tokens.inputs(there)).hasToString(tokens.inputs(model).toString());
    }

    @Test
    void aModelThatNoWorkerHasIsToldWithTheNearestNames() {
        RemoteModel other = RemoteModel.of(dispatcher.toModel("ioj"));
        assertThatThrownBy(() -> other.trace(TraceWorld.IOI, block("1", locals())))
                .isInstanceOf(DispatchException.class)
                .hasMessageContaining("ioi");
        assertThatThrownBy(other::describe).isInstanceOf(DispatchException.class);
    }

    @Test
    void whatCannotTravelIsRefusedWhenItIsSubmitted() {
        Map<String, Object> locals = locals();
        locals.put("where", Map.of("to", List.of(new Socket())));
        Block block = block("model.transformer.h[0].output; where.to", locals);
        assertThatThrownBy(() -> remote().trace(TraceWorld.IOI, block))
                .isInstanceOfSatisfying(
                        UnsendableException.class,
                        e -> assertThat(e.path()).isEqualTo("where.to[0]"));
    }

    @Test
    void aTraceThatRunsIsCancelledAndPushesNothing() throws Exception {
        Map<String, Object> locals = locals();
        CountDownLatch said = new CountDownLatch(1);
        Block endless =
                block("x = model.transformer.h[0].output; console.log('in'); for (;;);", locals)
                        .withOutput(line -> said.countDown());
        RemoteTrace<?> run =
                remote().trace(new Batch<Map<String, Tensor>>().add(endless, TraceWorld.IOI));
        said.await();
        run.cancel();
        assertThatThrownBy(() -> run.future().get()).isInstanceOf(CancellationException.class);
        while (run.lateOutcomes() == 0) {
            Thread.onSpinWait();
        }
        assertThat(locals).doesNotContainKey("x");
    }

    @Test
    void anEnvoyIsGoodForWhomeverTheModelIsAskedBy() throws Exception {
        Map<String, Object> locals = locals();
        RemoteModel.of(dispatcher.toModel("ioi"))
                .trace(TraceWorld.IOI, block("x = model.transformer.h.length", locals))
                .future()
                .get();
        assertThat(locals).containsEntry("x", 3);
    }
}
