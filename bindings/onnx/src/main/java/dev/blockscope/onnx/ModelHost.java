package dev.blockscope.onnx;

import dev.blockscope.StopSignal;
import dev.blockscope.interleave.Batch;
import dev.blockscope.interleave.Stopped;
import dev.blockscope.interleave.Trace;
import dev.blockscope.wire.TraceHost;
import dev.blockscope.wire.TraceRequest;
import dev.blockscope.wire.Traced;
import java.util.List;
import java.util.Map;

/** A model that is traced from elsewhere. */
final class ModelHost implements TraceHost {
    private final OnnxModel model;

    ModelHost(OnnxModel model) {
        this.model = model;
    }

    @Override
    public Object envoy() {
        return model.envoy();
    }

    @Override
    public Traced<?> trace(TraceRequest request, StopSignal signal) {
        return request.input() == null
                ? traced(model.trace(batch(request.invokes()), signal))
                : traced(model.trace(TensorForm.named(request.input()), request.blocks(), signal));
    }

    private static <R> Traced<R> traced(Trace<R> trace) {
        boolean stopped = trace.stopped().isPresent();
        return new Traced<>(
                stopped ? null : trace.result(),
                trace.blocks(),
                trace.stopped().map(Stopped::toString));
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of maps that were checked
    private static Batch<Map<String, Tensor>> batch(List<TraceRequest.Invoke> invokes) {
        Batch<Map<String, Tensor>> batch = new Batch<>();
        for (TraceRequest.Invoke invoke : invokes) {
            Map[] own = invoke.inputs().stream().map(TensorForm::named).toArray(Map[]::new);
            batch.add(invoke.block(), own);
        }
        return batch;
    }

    @Override
    public Object describe() {
        return ModelDescription.of(model).toPlain();
    }
}
