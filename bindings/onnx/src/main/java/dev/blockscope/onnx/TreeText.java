package dev.blockscope.onnx;

import com.google.common.base.Strings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Prints a module tree, one module a line, with the type of what each makes where it is known. One
 * that makes what a module inside it makes names that.
 */
final class TreeText {
    private final ModuleTree tree;
    private final Map<String, TensorSpec> types;
    private final List<String> labels = new ArrayList<>();
    private final List<String> made = new ArrayList<>();

    private TreeText(ModuleTree tree, Map<String, TensorSpec> types) {
        this.tree = tree;
        this.types = types;
    }

    static String of(ModuleTree tree, Map<String, TensorSpec> types) {
        if (tree.roots().isEmpty()) {
            return "(no modules: the nodes of this file carry no module names; a block reaches its tensors by theirs, as model.tensor('name').output)";
        }
        TreeText text = new TreeText(tree, types);
        tree.roots().forEach(root -> text.add(root, ""));
        return text.lines();
    }

    private void add(ModelModule module, String indent) {
        labels.add(indent + module.name());
        made.add(
                String.join(", ", module.outputs().stream().map(this::type).toList())
                        + maker(module));
        module.children().forEach(child -> add(child, indent + "  "));
    }

    private String maker(ModelModule module) {
        return tree.sharing(module).stream()
                .findFirst()
                .filter(first -> first.path().startsWith(module.path() + "."))
                .map(first -> " = " + first.path())
                .orElse("");
    }

    private String lines() {
        int width = labels.stream().mapToInt(String::length).max().orElse(0) + 2;
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < labels.size(); i++) {
            lines.add((Strings.padEnd(labels.get(i), width, ' ') + made.get(i)).stripTrailing());
        }
        return String.join("\n", lines);
    }

    private String type(String tensor) {
        TensorSpec spec = types.get(tensor);
        return spec == null ? tensor : spec.type();
    }
}
