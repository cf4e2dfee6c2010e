package dev.blockscope.onnx;

import ai.onnxruntime.OrtException;
import java.util.List;
import java.util.Map;

/**
 * What is known about a model before it runs.
 *
 * @param file what the file holds
 * @param flow who makes and who reads its values
 * @param scopes which module each node belongs to
 * @param modules its modules
 * @param points its hook points
 * @param tensors its tensors by their names
 * @param types element type and shape of its tensors
 * @param inputs what it takes
 * @param outputs what it makes
 */
record ModelFacts(
        OnnxFile file,
        Dataflow flow,
        Scopes scopes,
        ModuleTree modules,
        ModulePoints points,
        RawTensors tensors,
        Map<String, TensorSpec> types,
        List<TensorSpec> inputs,
        List<TensorSpec> outputs) {

    /**
     * Reads a file and finds out about it.
     *
     * @throws OnnxFileException if it is no model that ONNX Runtime accepts
     */
    static ModelFacts of(SessionSettings settings) throws OnnxFileException {
        OnnxFile file = OnnxFile.read(settings.file());
        Dataflow flow = new Dataflow(file.path(), file.graph());
        ModuleReads reads = new ModuleReads(file.graph(), flow);
        ModuleTree modules = ModuleTree.of(reads);
        Map<String, TensorSpec> types = types(file, settings);
        RawTensors tensors = new RawTensors(reads, types);
        return new ModelFacts(
                file,
                flow,
                reads.scopes(),
                modules,
                new ModulePoints(modules, reads, types, tensors),
                tensors,
                types,
                specs(file, file.graph().inputs(), types),
                specs(file, file.graph().outputs(), types));
    }

    private static Map<String, TensorSpec> types(OnnxFile file, SessionSettings settings)
            throws OnnxFileException {
        try {
            return new TypeDiscovery(file, settings).find();
        } catch (OrtException e) {
            String what = "ONNX Runtime does not accept it (" + e.getMessage() + ")";
            throw new OnnxFileException(file.path(), -1, what, e);
        }
    }

    private static List<TensorSpec> specs(
            OnnxFile file, List<Declared> values, Map<String, TensorSpec> types)
            throws OnnxFileException {
        for (Declared value : values) {
            if (!types.containsKey(value.name())) {
                throw new OnnxFileException(
                        file.path(),
                        "\"%s\" is no tensor; inputs and outputs of other kinds are not supported"
                                .formatted(value.name()));
            }
        }
        return values.stream().map(Declared::name).map(types::get).toList();
    }

    /** Returns the number of bytes of weights. */
    long weightBytes() {
        return file.graph().initializers().values().stream()
                .mapToLong(Initializer::weightBytes)
                .sum();
    }
}
