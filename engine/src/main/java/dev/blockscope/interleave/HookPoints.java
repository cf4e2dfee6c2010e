package dev.blockscope.interleave;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import dev.blockscope.NearestNames;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The named places of a computation at which blocks can wait, as a tree. A name is a dotted path
 * such as {@code encoder.layer.3.output}; a numeric part is a position in a list.
 *
 * <pre>{@code
 * HookPoints points = HookPoints.builder()
 *         .point("net", Double.class)
 *         .module("tax", Double.class)
 *         .point("total", Double.class)
 *         .alias("vat", "tax")
 *         .build();
 * }</pre>
 *
 * <p>Values that have names of another form, or are very many, are no part of the tree. Blocks
 * reach them by a {@linkplain Builder#named call}: {@code model.tensor('/layer.3/Add_out').output}
 * is the point with that very path.
 *
 * @since 0.1
 */
public final class HookPoints {

    private final ImmutableMap<String, HookPoint<?>> points;
    private final HookNode root = HookNode.root();
    private final Map<String, List<String>> same = new LinkedHashMap<>();
    private final @Nullable NamedPoints named;

    private HookPoints(Builder builder) {
        Map<String, HookPoint<?>> all = new LinkedHashMap<>();
        builder.declared
                .values()
                .forEach(declared -> {
                    if (declared.isModule()) {
                        addModule(declared, all);
                    } else {
                        addPoint(declared.path(), declared.type(), all);
                    }
                });
        this.points = ImmutableMap.copyOf(all);
        this.named =
                builder.named == null ? null : new NamedPoints(this, points.size(), builder.named);
        builder.aliases.forEach(this::addAlias);
        builder.same.forEach(this::addSame);
        builder.absences.forEach(this::addAbsence);
    }

    private HookPoint<@Nullable Object> addPoint(
            String path, Class<?> type, Map<String, HookPoint<?>> all) {
        HookNode node = root.make(path);
        checkArgument(node.point() == null, "hook point \"%s\" is declared twice", path);
        HookPoint<@Nullable Object> point = new HookPoint<>(this, node, type, all.size());
        node.point(point);
        all.put(path, point);
        return point;
    }

    @SuppressWarnings("unchecked") // the inputs of a module are a list, which its type says
    private void addModule(Declared declared, Map<String, HookPoint<?>> all) {
        String path = declared.path();
        HookNode node = root.make(path);
        HookNode input = node.make(HookNode.INPUT);
        checkArgument(
                input.point() == null,
                "hook point \"%s.input\" is the first input of module \"%s\"",
                path,
                path);
        HookPoint<?> inputs = addPoint(path + "." + HookNode.INPUTS, List.class, all);
        HookPoint<?> output = addPoint(path + "." + declared.output(), declared.type(), all);
        node.module(new HookModule<>((HookPoint<List<@Nullable Object>>) inputs, output));
    }

    private void addAlias(String alias, String path) {
        HookNode target = root.find(path);
        if (target == null) {
            throw new IllegalArgumentException(
                    "alias \"%s\" stands for \"%s\", which is not declared; the nearest are %s"
                            .formatted(alias, path, nearest(path)));
        }
        int dot = alias.lastIndexOf('.');
        HookNode parent = dot < 0 ? root : root.find(alias.substring(0, dot));
        checkArgument(parent != null, "alias \"%s\" begins in a part that is not declared", alias);
        String name = alias.substring(dot + 1);
        checkArgument(
                parent.child(name) == null, "\"%s\" is declared and cannot be an alias", alias);
        parent.alias(name, target);
    }

    private void addSame(Set<String> paths) {
        paths.forEach(path -> {
            checkArgument(
                    points.containsKey(path),
                    "\"%s\" is to offer what %s do, and is not declared",
                    path,
                    paths);
            List<String> others = paths.stream().filter(other -> !other.equals(path)).toList();
            checkArgument(
                    same.putIfAbsent(path, others) == null,
                    "\"%s\" offers the same as %s already",
                    path,
                    same.get(path));
        });
    }

    private void addAbsence(String path, String why) {
        HookNode node = root.find(path);
        checkArgument(
                node == null || !node.hasValue(), "\"%s\" is declared and cannot be absent", path);
        int dot = path.lastIndexOf('.');
        HookNode parent = dot < 0 ? root : root.make(path.substring(0, dot));
        parent.absent(path.substring(dot + 1), why);
    }

    /** Returns a builder without any point. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the points of these paths, which take any values; their order is the order in which
     * children are listed.
     *
     * @throws IllegalArgumentException if a path is empty, has an empty part or one that begins
     *     with a dollar sign, or is given twice
     */
    public static HookPoints of(Collection<String> paths) {
        Builder builder = builder();
        paths.forEach(builder::point);
        return builder.build();
    }

    /**
     * Returns all paths in their order, without those of {@linkplain Builder#named named} points.
     */
    public Set<String> paths() {
        return points.keySet();
    }

    /** Returns whether a path, or an alias of it, names a point. */
    public boolean contains(String path) {
        return find(path) != null;
    }

    /**
     * Returns the point of a path or an alias.
     *
     * @throws IllegalArgumentException if there is no such point
     */
    @SuppressWarnings("unchecked") // a point is known by its path; who asks so takes any value
    public HookPoint<@Nullable Object> point(String path) {
        HookPoint<?> found = find(path);
        if (found == null) {
            // Not as an argument of a check: the nearest are looked for only if they are needed.
            throw new IllegalArgumentException(
                    "\"%s\" is not among the hook points; the nearest are %s"
                            .formatted(path, nearest(path)));
        }
        return (HookPoint<@Nullable Object>) found;
    }

    /**
     * Returns the point of a path or an alias, whose values are of a type.
     *
     * @throws IllegalArgumentException if there is no such point, or it has another type
     */
    @SuppressWarnings("unchecked") // checked by the declared type
    public <T> HookPoint<T> point(String path, Class<T> type) {
        HookPoint<?> found = point(path);
        checkArgument(
                found.type() == type,
                "hook point \"%s\" is declared with %s, not with %s",
                path,
                found.type().getTypeName(),
                type.getTypeName());
        return (HookPoint<T>) found;
    }

    /**
     * Returns the module of a path or an alias, whose output is of a type.
     *
     * @throws IllegalArgumentException if there is no such module, or its output has another type
     */
    @SuppressWarnings("unchecked") // checked by the declared type
    public <T> HookModule<T> module(String path, Class<T> type) {
        HookNode node = root.find(path);
        HookModule<?> module = node == null ? null : node.module();
        checkArgument(module != null, "there is no module \"%s\"", path);
        checkArgument(
                module.output().type() == type,
                "the output of module \"%s\" is declared with %s, not with %s",
                path,
                module.output().type().getTypeName(),
                type.getTypeName());
        return (HookModule<T>) module;
    }

    /**
     * Returns the other points that offer the same value at the same place as one does, in their
     * order; empty if there are none.
     *
     * @param path the path of a point
     */
    public List<String> same(String path) {
        return same.getOrDefault(path, List.of());
    }

    /**
     * Returns the path of a {@linkplain Builder#named named} point.
     *
     * @throws IllegalArgumentException if there is none of that name, with the reason
     */
    public String named(String name) {
        checkArgument(
                named != null, "no hook points are reached by names, as \"%s\" would be", name);
        if (!named.contains(name)) {
            throw new IllegalArgumentException(named.whyNot(name));
        }
        return named.point(name);
    }

    /** Returns the few points whose names are nearest to {@code path}, the nearest first. */
    public List<String> nearest(String path) {
        return NearestNames.of(path, paths());
    }

    /** Returns the points as a tree, an indented line for each part. */
    @Override
    public String toString() {
        return HookTree.of(this);
    }

    int size() {
        return points.size() + (named == null ? 0 : named.size());
    }

    /** Returns the points that are reached by names, or null if none are. */
    @Nullable NamedPoints named() {
        return named;
    }

    /** Returns the position of the first named point. */
    int firstNamed() {
        return points.size();
    }

    /** Returns the points of the tree in the order of their positions. */
    Collection<HookPoint<?>> all() {
        return points.values();
    }

    HookNode root() {
        return root;
    }

    private @Nullable HookPoint<?> find(String path) {
        HookPoint<?> point = points.get(path);
        if (point != null) {
            return point;
        }
        HookNode node = part(path);
        return node == null ? null : node.point();
    }

    /** Returns the part of a path, whether it is in the tree or has a name, or null. */
    @Nullable HookNode part(String path) {
        HookNode node = root.find(path);
        return node != null || named == null ? node : named.atPath(path);
    }

    /**
     * Declares the points of a computation. Their order is that in which children are listed.
     *
     * @since 0.1
     */
    public static final class Builder {
        private final Map<String, Declared> declared = new LinkedHashMap<>();
        private final Map<String, String> aliases = new LinkedHashMap<>();
        private final List<Set<String>> same = new ArrayList<>();
        private final Map<String, String> absences = new LinkedHashMap<>();
        private NamedPoints.@Nullable Declared named;

        private Builder() {}

        /**
         * Declares a point that takes any value.
         *
         * @throws IllegalArgumentException if a part of the path is empty or begins with a dollar
         *     sign, or the path is declared already
         */
        public Builder point(String path) {
            return point(path, Object.class);
        }

        /**
         * Declares a point of a type. What a block assigns must fit it without loss: {@code 2.0} is
         * an Integer, {@code 2.5} is none.
         *
         * @throws IllegalArgumentException as for {@link #point(String)}
         */
        public Builder point(String path, Class<?> type) {
            return declare(path, new Declared(path, requireNonNull(type, "type"), ""));
        }

        /**
         * Declares a module: the points {@code path.inputs} and {@code path.output}, and {@code
         * path.input}, by which blocks reach the first input.
         *
         * @throws IllegalArgumentException as for {@link #point(String)}
         */
        public Builder module(String path) {
            return module(path, Object.class);
        }

        /**
         * Declares a module whose output is of a type.
         *
         * @throws IllegalArgumentException as for {@link #point(String)}
         */
        public Builder module(String path, Class<?> type) {
            return declare(path, new Declared(path, requireNonNull(type, "type"), HookNode.OUTPUT));
        }

        /**
         * Declares a module that makes several values: the points {@code path.inputs} and {@code
         * path.outputs}, each of which offers a list.
         *
         * @throws IllegalArgumentException as for {@link #point(String)}
         */
        public Builder moduleOfSeveral(String path) {
            absent(
                    path + "." + HookNode.OUTPUT,
                    "\"%s\" makes several values; ask for its outputs, a list".formatted(path));
            return declare(path, new Declared(path, List.class, HookNode.OUTPUTS));
        }

        /**
         * Declares why there is no point of a path, which whoever asks for it is told. What holds
         * it is there.
         *
         * @param why a sentence that says what to ask for instead
         * @throws IllegalArgumentException as for {@link #point(String)}
         */
        public Builder absent(String path, String why) {
            absences.put(checked(path), requireNonNull(why, "why"));
            return this;
        }

        /**
         * Declares points that blocks reach by a call on the whole, such as {@code
         * model.tensor('/layer.3/Add_out').output}. The names may have any form and be very many:
         * they are no part of the tree, and cost a run nothing unless somebody asks for one.
         *
         * @param call what the call is named; a part of the tree of the same name hides it, with a
         *     dollar sign in front it is meant
         * @param names the names, in the order in which the computation comes to the points
         * @param type what the values are
         * @param whyNot says of any other name why there is no such point and what to ask for
         */
        public Builder named(
                String call,
                Collection<String> names,
                Class<?> type,
                UnaryOperator<String> whyNot) {
            this.named = new NamedPoints.Declared(checked(call), names, type, whyNot);
            return this;
        }

        /** Declares that blocks may call a point, a module or what holds some by another name. */
        public Builder alias(String alias, String path) {
            aliases.put(checked(alias), requireNonNull(path, "path"));
            return this;
        }

        /**
         * Declares that points, each visited on its own, offer one value at one place, as the
         * outputs of a module and of the last module in it do. The error of a point that has passed
         * names the others.
         *
         * @param paths their paths, in the order in which they are visited
         */
        public Builder same(Collection<String> paths) {
            same.add(Collections.unmodifiableSet(new LinkedHashSet<>(paths)));
            return this;
        }

        /**
         * Returns the points.
         *
         * @throws IllegalArgumentException if two declarations clash, or an alias has no meaning
         */
        public HookPoints build() {
            return new HookPoints(this);
        }

        private Builder declare(String path, Declared what) {
            checkArgument(
                    declared.putIfAbsent(key(checked(path), what), what) == null,
                    "hook point \"%s\" is declared twice",
                    path);
            return this;
        }

        /** What a module makes is a point of the same path as a module in it called "output". */
        private static String key(String path, Declared what) {
            return what.isModule() && path.endsWith("." + HookNode.OUTPUT) ? path + "()" : path;
        }

        private static String checked(String path) {
            checkArgument(
                    !path.isEmpty() && !("." + path + ".").contains(".."),
                    "hook point \"%s\" has an empty part; write a path such as encoder.layer.3",
                    path);
            checkArgument(
                    !("." + path).contains(".$"),
                    "hook point \"%s\" has a part that begins with $; such names are calls",
                    path);
            return path;
        }
    }

    /**
     * What is declared.
     *
     * @param output what the second point of a module is called; empty if it is a point
     */
    private record Declared(String path, Class<?> type, String output) {
        boolean isModule() {
            return !output.isEmpty();
        }
    }
}
