package dev.blockscope.onnx;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The modules of a model, found from the names that PyTorch's exporter gives to nodes: a node named
 * {@code /encoder/layer.3/attention/self/MatMul} belongs to the module {@code
 * encoder.layer.3.attention.self} and to every module around it.
 *
 * <p>A file whose nodes carry no such names has an empty tree. Immutable.
 *
 * @since 0.1
 */
public final class ModuleTree {
    private final List<ModelModule> roots;
    private final Map<String, ModelModule> byPath;
    private final Map<String, List<ModelModule>> byOutput = new LinkedHashMap<>();

    ModuleTree(List<ModelModule> roots) {
        this.roots = List.copyOf(roots);
        Map<String, ModelModule> all = new LinkedHashMap<>();
        roots.forEach(root -> collect(root, all));
        this.byPath = Collections.unmodifiableMap(all);
        // The innermost first, as they are visited.
        for (ModelModule module : List.copyOf(all.values()).reversed()) {
            module.output()
                    .ifPresent(tensor ->
                            byOutput.computeIfAbsent(tensor, _ -> new ArrayList<>()).add(module));
        }
    }

    private static void collect(ModelModule module, Map<String, ModelModule> all) {
        all.put(module.path(), module);
        module.children().forEach(child -> collect(child, all));
    }

    /** Finds the modules of a graph. */
    static ModuleTree of(ModuleReads reads) {
        return new ModuleTree(new ModuleFinder(reads).find());
    }

    /**
     * Returns the outermost modules, in the order the model reaches them.
     *
     * @since 0.1
     */
    public List<ModelModule> roots() {
        return roots;
    }

    /**
     * Returns all modules, each before its children.
     *
     * @since 0.1
     */
    public Collection<ModelModule> modules() {
        return byPath.values();
    }

    /**
     * Finds a module by its path.
     *
     * @param path a path such as {@code "encoder.layer.3"}
     * @return the module; absent if there is none at that path
     * @since 0.1
     */
    public Optional<ModelModule> find(String path) {
        return Optional.ofNullable(byPath.get(path));
    }

    /**
     * Returns the other modules whose output is the same tensor as a module's, as that of a module
     * and of the last module in it mostly is: the innermost first, in which order their outputs are
     * visited. Each can be read and replaced at either; what is changed at one is seen at those
     * after it and by the model.
     *
     * @param module a module of this tree
     * @return the others; empty if the module alone makes its output, or has not one output
     * @since 0.1
     */
    public List<ModelModule> sharing(ModelModule module) {
        return module.output().map(byOutput::get).stream()
                .flatMap(List::stream)
                .filter(other -> !other.path().equals(module.path()))
                .toList();
    }

    /** Returns the paths of the modules that share one output, for each output that is shared. */
    List<List<String>> shared() {
        return byOutput.values().stream()
                .filter(modules -> modules.size() > 1)
                .map(modules -> modules.stream().map(ModelModule::path).toList())
                .toList();
    }

    /** Returns the tree as text, one module a line, indented by depth. */
    @Override
    public String toString() {
        return TreeText.of(this, Map.of());
    }
}
