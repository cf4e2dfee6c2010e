package dev.blockscope.onnx;

import com.google.common.collect.LinkedHashMultimap;
import com.google.common.collect.SetMultimap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which module each node belongs to: {@code /encoder/layer.3/MatMul} is in the scope {@code
 * encoder/layer.3}, written without the first slash.
 *
 * <p>A quantiser converts a tensor for those who read it and is named after the tensor, so it is
 * moved to its readers: into the innermost scope that holds them all. Otherwise the module that
 * makes a tensor would seem to make its quantised form, scale and zero point as well.
 */
final class Scopes {
    /** The scope of nodes outside all modules, and of the caller. */
    static final String OUTSIDE = "";

    /** A name with more parts than this was not written by an exporter of modules. */
    private static final int MAX_PARTS = 128;

    private static final Set<String> QUANTISERS = Set.of("QuantizeLinear", "DynamicQuantizeLinear");

    private final String[] scopes;
    private final BitSet quantisers = new BitSet();

    Scopes(Graph graph) {
        List<GraphNode> nodes = graph.nodes();
        Map<String, String> known = new HashMap<>();
        scopes = nodes.stream().map(node -> fit(named(node), known)).toArray(String[]::new);
        SetMultimap<String, GraphNode> readers = LinkedHashMultimap.create();
        SetMultimap<String, GraphNode> makers = LinkedHashMultimap.create();
        for (GraphNode node : nodes) {
            node.reads().forEach(value -> readers.put(value, node));
            node.makes().forEach(value -> makers.put(value, node));
        }
        // Backwards, so that what follows a quantiser is at its place before the quantiser is.
        for (GraphNode node : nodes.reversed()) {
            if (isQuantiser(node, makers)) {
                quantisers.set(node.index());
                node.makes()
                        .flatMap(value -> readers.get(value).stream())
                        .map(this::of)
                        .reduce(Scopes::common)
                        .ifPresent(scope -> scopes[node.index()] = scope);
            }
        }
    }

    /** What turns a quantised tensor back right away goes with its quantiser. */
    private static boolean isQuantiser(GraphNode node, SetMultimap<String, GraphNode> makers) {
        return QUANTISERS.contains(node.operator())
                || (node.operator().equals("DequantizeLinear")
                        && node.reads()
                                .flatMap(value -> makers.get(value).stream())
                                .anyMatch(maker -> QUANTISERS.contains(maker.operator())));
    }

    /** Returns the scope of a node; {@link #OUTSIDE} if it belongs to no module. */
    String of(GraphNode node) {
        return scopes[node.index()];
    }

    /** Returns whether a node converts a tensor for those who read it. */
    boolean isQuantiser(GraphNode node) {
        return quantisers.get(node.index());
    }

    /** Returns the scopes that a node is in, the innermost first. */
    List<String> around(GraphNode node) {
        List<String> around = new ArrayList<>();
        for (String scope = of(node); !scope.equals(OUTSIDE); scope = around(scope)) {
            around.add(scope);
        }
        return around;
    }

    /** Returns all scopes by the paths of their modules. */
    Map<String, String> byPath() {
        Map<String, String> byPath = new HashMap<>();
        for (String innermost : scopes) {
            for (String scope = innermost; !scope.equals(OUTSIDE); scope = around(scope)) {
                byPath.put(scope.replace('/', '.'), scope);
            }
        }
        return byPath;
    }

    /** Returns whether a scope is another one or lies inside it. */
    static boolean isInside(String scope, String other) {
        return other.isEmpty() || scope.equals(other) || scope.startsWith(other + "/");
    }

    /** Returns the scope around one that is not {@link #OUTSIDE}. */
    static String around(String scope) {
        int last = scope.lastIndexOf('/');
        return last < 0 ? OUTSIDE : scope.substring(0, last);
    }

    private static String common(String a, String b) {
        String common = a;
        while (!isInside(b, common)) {
            common = around(common);
        }
        return common;
    }

    private static String named(GraphNode node) {
        String name = node.name();
        int last = name.lastIndexOf('/');
        boolean scoped = name.startsWith("/") && last > 0;
        return scoped && name.chars().filter(c -> c == '/' || c == '.').count() <= MAX_PARTS
                ? name.substring(1, last)
                : OUTSIDE;
    }

    /**
     * Returns a scope if it, and each around it, makes a path that blocks can write and that stands
     * for no other scope; else it was not written by an exporter of modules.
     */
    private static String fit(String scope, Map<String, String> known) {
        Map<String, String> own = new HashMap<>();
        for (String part = scope; !part.equals(OUTSIDE); part = around(part)) {
            String path = part.replace('/', '.');
            boolean writable = !("." + path + ".").contains("..") && !("." + path).contains(".$");
            if (!writable || !known.getOrDefault(path, part).equals(part)) {
                return OUTSIDE;
            }
            own.put(path, part);
        }
        known.putAll(own);
        return scope;
    }

    @Override
    public String toString() {
        return Arrays.toString(scopes);
    }
}
