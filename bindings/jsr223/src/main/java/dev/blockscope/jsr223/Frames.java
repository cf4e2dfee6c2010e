package dev.blockscope.jsr223;

import com.google.common.collect.MapMaker;
import dev.blockscope.Binding;
import dev.blockscope.Frame;
import dev.blockscope.Globals;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import javax.script.Bindings;

/**
 * The frames of bindings: the same one for the same bindings, told apart by identity, as long as
 * the bindings are in use.
 */
final class Frames {
    private final ConcurrentMap<Bindings, Namespace> known = new MapMaker().weakKeys().makeMap();

    /**
     * Returns the frame of some bindings.
     *
     * @param behind where names are looked up that the bindings do not have
     */
    Frame of(Bindings bindings, List<Bindings> behind) {
        Namespace namespace = known.get(bindings);
        if (namespace == null) {
            namespace = known.computeIfAbsent(bindings, Namespace::new);
        }
        namespace.behind = behind;
        return namespace.frame;
    }

    /** Bindings, which it must not hold, and what is behind them. */
    private static final class Namespace implements Globals {
        private final Frame frame;

        /** Of the latest script; functions that are called later find names there too. */
        private volatile List<Bindings> behind = List.of();

        Namespace(Bindings bindings) {
            this.frame = Frame.ofNamespace(new WeakVariables(bindings), this);
        }

        @Override
        public Optional<Binding> find(String name) {
            // Bindings have no empty name, and do not want to be asked for it.
            if (!name.isEmpty()) {
                for (Bindings bindings : behind) {
                    if (bindings.containsKey(name)) {
                        return Optional.of(new Binding(bindings.get(name)));
                    }
                }
            }
            return Optional.empty();
        }

        @Override
        public Set<String> names() {
            Set<String> names = new HashSet<>();
            behind.forEach(bindings -> names.addAll(bindings.keySet()));
            return names;
        }
    }
}
