package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.Frame;
import dev.blockscope.interleave.Trace;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A model and blocks of one frame that know it as {@code model}; nothing is left when it closes.
 */
final class ModelWithBlocks implements AutoCloseable {
    private final OnnxModel model;
    private final Map<String, Tensor> inputs;
    private final BlockEngine engine = BlockEngine.create();
    private final Map<String, @Nullable Object> locals = new LinkedHashMap<>();
    private final Frame frame = Frame.of(locals);

    /** Takes a model over, with inputs that fit it. */
    ModelWithBlocks(OnnxModel model, Map<String, Tensor> inputs) {
        this.model = model;
        this.inputs = inputs;
    }

    static ModelWithBlocks of(RealModel real) {
        return new ModelWithBlocks(real.open(), real.inputs());
    }

    OnnxModel model() {
        return model;
    }

    Map<String, Tensor> inputs() {
        return inputs;
    }

    /** Returns the variables of the blocks' frame. */
    Map<String, @Nullable Object> locals() {
        return locals;
    }

    Tensor tensor(String name) {
        return (Tensor) Objects.requireNonNull(locals.get(name), name);
    }

    Block capture(String text) {
        return capture(model, text);
    }

    /** Captures a block that knows another model as its own. */
    Block capture(OnnxModel other, String text) {
        locals.put("model", other.envoy());
        return engine.capture(text, frame);
    }

    Trace<Map<String, Tensor>> trace(String text) {
        return model.trace(inputs, capture(text));
    }

    @Override
    public void close() {
        engine.close();
        model.close();
        assertThat(model.ledger().values()).isZero();
        assertThat(model.ledger().sessions()).isZero();
    }
}
