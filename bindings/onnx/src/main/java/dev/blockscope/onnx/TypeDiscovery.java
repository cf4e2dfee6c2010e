package dev.blockscope.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.TensorInfo;
import ai.onnxruntime.TensorInfo.OnnxTensorType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds element type and shape of every tensor of a model.
 *
 * <p>ONNX Runtime infers them when it opens a graph, so a graph with every value as an output is
 * opened once, without optimisation, asked and closed. What the file declares itself is taken where
 * the runtime's Java API knows no name for a type. Opening it also shows whether the runtime
 * accepts the graph at all.
 */
final class TypeDiscovery {
    private final OnnxFile model;
    private final SessionSettings settings;

    TypeDiscovery(OnnxFile model, SessionSettings settings) {
        this.model = model;
        this.settings = settings;
    }

    /**
     * Returns what is known about each tensor, by name; values that are no tensors are missing.
     *
     * @throws OrtException if ONNX Runtime does not accept the graph
     */
    Map<String, TensorSpec> find() throws OrtException {
        Map<String, TensorSpec> types = new HashMap<>();
        model.graph().declared().values().forEach(value -> declare(types, value));
        byte[] bytes = new SegmentWriter(model).writeAllOutputs();
        try (OrtSession session = settings.openUnoptimised(bytes)) {
            session.getOutputInfo().values().forEach(info -> infer(types, info));
        }
        // The runtime has checked these, and they often know more of the shape than it infers.
        model.graph().inputs().forEach(value -> declare(types, value));
        model.graph().outputs().forEach(value -> declare(types, value));
        return Map.copyOf(types);
    }

    private static void declare(Map<String, TensorSpec> types, Declared value) {
        value.spec()
                .filter(spec -> !spec.shape().isEmpty() || !types.containsKey(value.name()))
                .ifPresent(spec -> types.put(value.name(), spec));
    }

    private static void infer(Map<String, TensorSpec> types, NodeInfo info) {
        if (info.getInfo() instanceof TensorInfo tensor) {
            dtype(tensor.onnxType)
                    .map(type -> new TensorSpec(info.getName(), type, dimensions(tensor)))
                    .ifPresent(spec -> types.put(info.getName(), spec));
        }
    }

    private static List<Dimension> dimensions(TensorInfo tensor) {
        long[] sizes = tensor.getShape();
        String[] names = tensor.getDimensionNames();
        List<Dimension> dimensions = new ArrayList<>();
        for (int i = 0; i < sizes.length; i++) {
            String name = names != null && i < names.length && sizes[i] < 0 ? names[i] : "";
            dimensions.add(new Dimension(name, Math.max(-1, sizes[i])));
        }
        return dimensions;
    }

    /** Absent for types that the runtime has and its Java API does not. */
    private static Optional<DType> dtype(OnnxTensorType type) {
        return Optional.ofNullable(
                switch (type) {
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT -> DType.FLOAT32;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE -> DType.FLOAT64;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16 -> DType.FLOAT16;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16 -> DType.BFLOAT16;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8 -> DType.INT8;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16 -> DType.INT16;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32 -> DType.INT32;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64 -> DType.INT64;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8 -> DType.UINT8;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16 -> DType.UINT16;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32 -> DType.UINT32;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64 -> DType.UINT64;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL -> DType.BOOL;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING -> DType.STRING;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX64 -> DType.COMPLEX64;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX128 -> DType.COMPLEX128;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FN -> DType.FLOAT8E4M3FN;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FNUZ -> DType.FLOAT8E4M3FNUZ;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2 -> DType.FLOAT8E5M2;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2FNUZ -> DType.FLOAT8E5M2FNUZ;
                    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED -> null;
                });
    }
}
