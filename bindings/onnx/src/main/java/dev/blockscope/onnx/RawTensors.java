package dev.blockscope.onnx;

import dev.blockscope.interleave.HookPoints;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** The tensors of a model by the names they have in the file. */
final class RawTensors {
    private final ModelFacts facts;

    RawTensors(ModelFacts facts) {
        this.facts = facts;
    }

    /** Returns all that differ from run to run and are known to be tensors, as they are made. */
    List<TensorSpec> all() {
        Stream<String> made =
                facts.flow().nodes().stream()
                        .filter(node -> !facts.flow().isConstant(node))
                        .flatMap(GraphNode::makes);
        return Stream.concat(facts.inputs().stream().map(TensorSpec::name), made)
                .filter(facts.types()::containsKey)
                .map(name -> Objects.requireNonNull(facts.types().get(name)))
                .toList();
    }

    /**
     * Finds one.
     *
     * @throws IllegalArgumentException if it is not among all, with the reason
     */
    TensorSpec find(String name) {
        return all().stream()
                .filter(spec -> spec.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(whyNot(name)));
    }

    private String whyNot(String name) {
        if (facts.flow().isConstant(name)) {
            return "\"%s\" is a constant of the model, it is the same in every run".formatted(name);
        }
        Optional<GraphNode> around =
                facts.flow().nodes().stream()
                        .filter(node -> node.inner().contains(name))
                        .findFirst();
        if (around.isPresent()) {
            return "\"%s\" is inside %s, where a run cannot be stopped; what that node reads and makes can be reached"
                    .formatted(name, around.get().label());
        }
        // Paths have no empty parts; a tensor with such a name is found but not suggested.
        List<String> names =
                all().stream()
                        .map(TensorSpec::name)
                        .filter(known -> !("." + known + ".").contains(".."))
                        .toList();
        return "the model has no tensor \"%s\"; the nearest are %s"
                .formatted(name, String.join(", ", HookPoints.of(names).nearest(name)));
    }
}
