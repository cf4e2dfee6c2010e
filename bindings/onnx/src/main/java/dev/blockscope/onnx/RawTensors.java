package dev.blockscope.onnx;

import com.google.common.collect.ImmutableMap;
import dev.blockscope.NearestNames;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The tensors of a model by the names they have in the file, numbered as a run comes to them: first
 * what the model is given, then what its nodes make. Each is a hook point, {@code
 * tensor('/encoder/layer.3/Add_output_0').output}, of which nothing is made before it is asked for.
 */
final class RawTensors {
    /** What a block calls with the name of a tensor. */
    static final String CALL = "tensor";

    private static final String BEGIN = CALL + "('";
    private static final String END = "').output";

    private final Graph graph;
    private final Dataflow flow;
    private final Scopes scopes;
    private final Map<String, TensorSpec> types;
    private final List<String> names;
    private final ImmutableMap<String, Integer> numbers;
    private final int[] before;

    /**
     * Finds the tensors of a graph.
     *
     * @param types the values that are known to be tensors
     */
    RawTensors(ModuleReads reads, Map<String, TensorSpec> types) {
        this.graph = reads.graph();
        this.flow = reads.flow();
        this.scopes = reads.scopes();
        this.types = types;
        Stream<String> given = graph.inputs().stream().map(Declared::name);
        Stream<String> made =
                flow.nodes().stream()
                        .filter(node -> !flow.isConstant(node))
                        .flatMap(GraphNode::makes);
        this.names = Stream.concat(given, made).filter(types::containsKey).distinct().toList();
        ImmutableMap.Builder<String, Integer> numbered = ImmutableMap.builder();
        for (int i = 0; i < names.size(); i++) {
            numbered.put(names.get(i), i);
        }
        this.numbers = numbered.buildOrThrow();
        this.before = new int[graph.nodes().size() + 2];
        names.forEach(name -> before[flow.madeAt(name) + 1]++);
        Arrays.parallelPrefix(before, Integer::sum);
    }

    /** Returns the names of all that differ from run to run and are known to be tensors. */
    Set<String> names() {
        return numbers.keySet();
    }

    /** Returns all that differ from run to run and are known to be tensors. */
    List<TensorSpec> all() {
        return names.stream().map(this::spec).toList();
    }

    private TensorSpec spec(String name) {
        return Objects.requireNonNull(types.get(name), "names are those of tensors");
    }

    /**
     * Finds one.
     *
     * @throws IllegalArgumentException if it is not among all, with the reason
     */
    TensorSpec find(String name) {
        if (!numbers.containsKey(name)) {
            throw new IllegalArgumentException(whyNot(name));
        }
        return spec(name);
    }

    /** Returns the path of the hook point of a tensor. */
    static String point(String name) {
        return BEGIN + name + END;
    }

    /** Returns where a run comes to the tensor of a hook point, or null if it is of none. */
    @Nullable Stop stopOf(String point) {
        if (!point.startsWith(BEGIN) || !point.endsWith(END)) {
            return null;
        }
        Integer number =
                numbers.get(point.substring(BEGIN.length(), point.length() - END.length()));
        return number == null ? null : stop(number);
    }

    /** Returns where a run comes to the tensor of a number. */
    Stop stop(int number) {
        String name = names.get(number);
        int made = flow.madeAt(name);
        String scope = made == 0 ? Scopes.OUTSIDE : scopes.of(graph.nodes().get(made - 1));
        return new Stop(point(name), made, scope, Optional.empty(), List.of(name), number);
    }

    /** Returns how many of all are there before a position; the one after all nodes is the last. */
    int countBefore(int position) {
        return before[position];
    }

    /** Returns why there is no tensor of a name, and what there is. */
    String whyNot(String name) {
        if (flow.isConstant(name)) {
            return "\"%s\" is a constant of the model, it is the same in every run".formatted(name);
        }
        Optional<GraphNode> around =
                flow.nodes().stream().filter(node -> node.inner().contains(name)).findFirst();
        return around.map(node ->
                        "\"%s\" is inside %s, where a run cannot be stopped; what that node reads and makes can be reached"
                                .formatted(name, node.label()))
                .orElseGet(() ->
                        "the model has no tensor \"%s\"; the nearest are %s"
                                .formatted(name, String.join(", ", NearestNames.of(name, names))));
    }
}
