package dev.blockscope.onnx;

import java.util.List;

/**
 * Where a run enters a module.
 *
 * @param path the module
 * @param scope the scope of its nodes
 * @param position the position before everything that runs for it
 * @param inputs what it reads, in the order it is read
 * @param output the tensor it makes
 */
record ModuleEntry(
        String path, String scope, int position, List<ModuleReads.Input> inputs, String output) {
    ModuleEntry {
        inputs = List.copyOf(inputs);
    }

    /** Returns the hook point at which the inputs are offered. */
    String point() {
        return path + ".inputs";
    }

    /** Returns the names of the tensors it reads. */
    List<String> tensors() {
        return inputs.stream().map(ModuleReads.Input::tensor).toList();
    }
}
