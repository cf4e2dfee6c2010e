package dev.blockscope.interleave;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import dev.blockscope.NearestNames;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Points that blocks reach by a name of any form, as {@code model.tensor('/a/b.c').output}. They
 * can be as many as a computation has values, so that no list of points holds them, and each is
 * made when somebody first asks for it.
 */
final class NamedPoints {
    private static final String POINT = "." + HookNode.OUTPUT;

    private final HookPoints owner;
    private final int first;
    private final String call;
    private final Class<?> type;
    private final UnaryOperator<String> whyNot;
    private final ImmutableMap<String, Integer> numbers;
    private final Map<String, HookNode> made = new ConcurrentHashMap<>();

    /**
     * What a computation declares of them.
     *
     * @param call the call that takes a name
     * @param names the names, in the order in which the computation comes to their points
     * @param type what the values are
     * @param whyNot says why there is no point of a name, and what to ask for instead
     */
    record Declared(
            String call, Collection<String> names, Class<?> type, UnaryOperator<String> whyNot) {
        Declared {
            names = List.copyOf(names);
        }
    }

    /**
     * Makes none yet.
     *
     * @param first the position of the first among the points of the computation
     */
    NamedPoints(HookPoints owner, int first, Declared declared) {
        this.owner = owner;
        this.first = first;
        this.call = declared.call();
        this.type = declared.type();
        this.whyNot = declared.whyNot();
        ImmutableMap.Builder<String, Integer> numbered = ImmutableMap.builder();
        int number = 0;
        for (String name : declared.names()) {
            numbered.put(name, number++);
        }
        this.numbers = numbered.buildOrThrow();
    }

    /** Returns whether guest code means the call by a member, with or without a dollar sign. */
    boolean isCall(String member) {
        return member.equals(call) || member.equals("$" + call);
    }

    String call() {
        return call;
    }

    int size() {
        return numbers.size();
    }

    boolean contains(String name) {
        return numbers.containsKey(name);
    }

    /** Returns what blocks hold in their hands for a name: a part with one point. */
    @Nullable HookNode find(String name) {
        return contains(name) ? made.computeIfAbsent(name, this::make) : null;
    }

    private HookNode make(String name) {
        HookNode part = owner.root().aside(path(name));
        HookNode output = part.make(HookNode.OUTPUT);
        int index = first + requireNonNull(numbers.get(name));
        output.point(new HookPoint<@Nullable Object>(owner, output, type, index));
        return part;
    }

    /** Returns the part or the point of a path such as {@code tensor('/a/b.c').output}, or null. */
    @Nullable HookNode atPath(String path) {
        String part =
                path.endsWith(POINT) ? path.substring(0, path.length() - POINT.length()) : path;
        String begin = call + "('";
        if (!part.startsWith(begin) || !part.endsWith("')") || part.length() < begin.length() + 2) {
            return null;
        }
        HookNode found = find(part.substring(begin.length(), part.length() - 2));
        return found == null || part.equals(path) ? found : found.child(HookNode.OUTPUT);
    }

    /** Returns the path of the part of a name. */
    String path(String name) {
        return "%s('%s')".formatted(call, name);
    }

    /** Returns the path of the point of a name. */
    String point(String name) {
        return path(name) + POINT;
    }

    /** Says why there is no point of a name. */
    String whyNot(String name) {
        return whyNot.apply(name);
    }

    /** Returns the few names that are nearest, as blocks ask for them. */
    List<String> nearest(String name) {
        return NearestNames.of(name, numbers.keySet()).stream().map(this::path).toList();
    }

    /** Returns how they are reached, as a line of a tree. */
    @Override
    public String toString() {
        return "%s(name)  %d by name".formatted(call, size());
    }
}
