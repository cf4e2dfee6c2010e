package dev.blockscope.onnx;

import static java.util.stream.Collectors.joining;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OnnxValue;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds out how the shape of every tensor of a model follows from the shapes of its inputs.
 *
 * <p>ONNX Runtime's own inference gives up at the first reshape to a computed shape, which is in
 * every attention, and its Java API has no other. So the model runs on the smallest inputs, and
 * once more for each open size, which is one larger then. A dimension that moves with a size, and
 * is as large, is that size, or the sum of several; one that moves otherwise stays open.
 */
final class ShapeScan {
    /** The first size, each further one is larger by one; a size of 1 might be broadcast. */
    private static final long SMALLEST = 2;

    private final ModelFacts facts;
    private final SessionSettings settings;
    private final NativeLedger ledger;
    private final OpenSizes open;
    private final Map<String, Long> sizes = new LinkedHashMap<>();
    private final Map<String, Map<String, long[]>> raised = new LinkedHashMap<>();
    private @Nullable Map<String, TensorSpec> specs;

    ShapeScan(ModelFacts facts, SessionSettings settings, NativeLedger ledger) {
        this.facts = facts;
        this.settings = settings;
        this.ledger = ledger;
        this.open = new OpenSizes(facts.inputs());
        open.names().forEach(name -> sizes.put(name, SMALLEST + sizes.size()));
    }

    /**
     * Returns every tensor that a run takes or makes, by name. The first call runs the model.
     *
     * @throws OnnxRunException if the model cannot be run on zeros
     */
    synchronized Map<String, TensorSpec> specs() {
        if (specs == null) {
            try {
                specs = find();
            } catch (OrtException e) {
                throw new OnnxRunException(
                        "a run of \"%s\" on zeros, to see the shapes".formatted(settings.file()),
                        e);
            }
        }
        return specs;
    }

    private Map<String, TensorSpec> find() throws OrtException {
        byte[] bytes = new SegmentWriter(facts.file()).writeAllOutputs();
        try (OrtSession session = settings.openUnoptimised(bytes)) {
            Map<String, long[]> smallest = run(session, sizes);
            for (String name : sizes.keySet()) {
                Map<String, Long> more = new HashMap<>(sizes);
                more.merge(name, 1L, Long::sum);
                raised.put(name, run(session, more));
            }
            Map<String, TensorSpec> found = new LinkedHashMap<>();
            open.inputs().forEach(input -> found.put(input.name(), input));
            smallest.forEach((tensor, shape) -> {
                TensorSpec known = facts.types().get(tensor);
                if (known != null) {
                    found.put(
                            tensor,
                            new TensorSpec(tensor, known.dtype(), dimensions(tensor, shape)));
                }
            });
            return Map.copyOf(found);
        }
    }

    /** Runs the model on zeros and returns the shapes of what it makes. */
    private Map<String, long[]> run(OrtSession session, Map<String, Long> ofSizes)
            throws OrtException {
        try (NativeTensors values = new NativeTensors(ledger)) {
            Map<String, OnnxTensor> fed = new HashMap<>();
            for (TensorSpec input : open.inputs()) {
                values.lend(input.name(), sample(input, ofSizes));
                fed.put(input.name(), values.get(input.name()));
            }
            Map<String, long[]> shapes = new LinkedHashMap<>();
            try (OrtSession.Result made = session.run(fed)) {
                for (Map.Entry<String, OnnxValue> value : made) {
                    if (value.getValue() instanceof OnnxTensor tensor) {
                        shapes.put(value.getKey(), tensor.getInfo().getShape());
                    }
                }
            }
            return shapes;
        }
    }

    private static Tensor sample(TensorSpec input, Map<String, Long> ofSizes) {
        long[] shape =
                input.shape().stream().mapToLong(size -> OpenSizes.size(size, ofSizes)).toArray();
        return Tensor.zeros(input.dtype(), shape);
    }

    private List<Dimension> dimensions(String tensor, long[] shape) {
        List<Dimension> dimensions = new ArrayList<>();
        for (int d = 0; d < shape.length; d++) {
            dimensions.add(dimension(tensor, d, shape));
        }
        return dimensions;
    }

    private Dimension dimension(String tensor, int d, long[] shape) {
        List<String> moving =
                sizes.keySet().stream()
                        .filter(name -> growth(name, tensor, d, shape) != 0)
                        .toList();
        if (moving.isEmpty()) {
            return new Dimension("", shape[d]);
        }
        boolean evenly = moving.stream().allMatch(name -> growth(name, tensor, d, shape) == 1);
        long sum = moving.stream().mapToLong(sizes::get).sum();
        boolean known = evenly && sum == shape[d];
        return new Dimension(known ? moving.stream().collect(joining(" + ")) : "", -1);
    }

    /** Returns by how much a dimension grows with a size; more than 1 if the tensor differs. */
    private long growth(String size, String tensor, int d, long[] shape) {
        long[] other = raised.getOrDefault(size, Map.of()).get(tensor);
        return other == null || other.length != shape.length ? Long.MAX_VALUE : other[d] - shape[d];
    }
}
