package dev.blockscope.onnx;

import dev.blockscope.interleave.HookException;
import dev.blockscope.wire.Vocabulary;
import java.util.Map;
import java.util.concurrent.CancellationException;

/**
 * What workers with models, and their authors, know beyond plain values.
 *
 * @since 0.1
 */
public final class ModelVocabulary {
    /**
     * Knows tensors, which travel by value, and the exceptions of models. Authors need not have it:
     * a {@link RemoteModel} adds it.
     *
     * @since 0.1
     */
    public static final Vocabulary TENSORS =
            Vocabulary.builder()
                    .type("tensor", Tensor.class, TensorForm::of, TensorForm::tensor)
                    .exception(IllegalArgumentException.class, IllegalArgumentException::new)
                    .exception(IllegalStateException.class, IllegalStateException::new)
                    .exception(CancellationException.class, CancellationException::new)
                    .exception(OnnxRunException.class, OnnxRunException::new)
                    .exception(
                            HookException.class, HookException::toPlain, HookException::elsewhere)
                    .build();

    private ModelVocabulary() {}

    /**
     * Returns the vocabulary of a worker that has models: each runs in step with blocks that come
     * from elsewhere, and describes itself.
     *
     * <pre>{@code
     * Vocabulary known = ModelVocabulary.hosting(Map.of("minilm", model));
     * EnvelopeRunner runner = new EnvelopeRunner(engine, known, Limits.UNTRUSTED);
     * Worker.builder(gateway).model("minilm", runner).start();
     * }</pre>
     *
     * @param models the models by the names that authors use; they stay open
     * @since 0.1
     */
    public static Vocabulary hosting(Map<String, OnnxModel> models) {
        Vocabulary.Builder hosted = Vocabulary.builder();
        models.forEach((name, model) -> hosted.computation(name, new ModelHost(model)));
        return TENSORS.and(hosted.build());
    }
}
