package dev.blockscope.onnx;

import java.util.List;

/**
 * Where a run enters a module.
 *
 * @param path the module
 * @param scope the scope of its nodes
 * @param position the position before everything that runs for it
 * @param inputs what it reads, in the order it is read
 * @param outputs the tensors it makes, in the order they are made
 */
record ModuleEntry(
        String path,
        String scope,
        int position,
        List<ModuleReads.Input> inputs,
        List<String> outputs) {
    ModuleEntry {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }

    /** Returns the hook point at which the inputs are offered. */
    String point() {
        return path + ".inputs";
    }

    /** Returns whether it makes several tensors, which are given as a list. */
    boolean hasSeveralOutputs() {
        return outputs.size() > 1;
    }

    /** Returns the names of the tensors it reads. */
    List<String> tensors() {
        return inputs.stream().map(ModuleReads.Input::tensor).toList();
    }
}
