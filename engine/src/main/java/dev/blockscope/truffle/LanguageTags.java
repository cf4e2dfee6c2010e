package dev.blockscope.truffle;

import com.oracle.truffle.api.instrumentation.InstrumentableNode;
import com.oracle.truffle.api.instrumentation.Instrumenter;
import com.oracle.truffle.api.instrumentation.SourceSectionFilter;
import com.oracle.truffle.api.instrumentation.Tag;
import com.oracle.truffle.api.nodes.Node;
import com.oracle.truffle.api.source.Source;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Some of a language's own tags by their simple names. GraalJS keeps the classes to itself, so they
 * are learned from nodes that carry them. Once all are known, a node is asked for these alone,
 * which takes a fraction of the time that listing its tags takes.
 */
final class LanguageTags {
    private final Instrumenter instrumenter;
    private final Set<String> wanted;
    private final Map<String, Class<? extends Tag>> known = new ConcurrentHashMap<>();
    private volatile List<Class<? extends Tag>> all = List.of();

    LanguageTags(Instrumenter instrumenter, Set<String> wanted) {
        this.instrumenter = instrumenter;
        this.wanted = wanted;
    }

    /** Hands over the name of each wanted tag that a node carries. */
    void forEachOf(Node node, Consumer<String> action) {
        List<Class<? extends Tag>> tags = all;
        if (!tags.isEmpty() && node instanceof InstrumentableNode instrumentable) {
            for (Class<? extends Tag> tag : tags) {
                if (instrumentable.hasTag(tag)) {
                    action.accept(tag.getSimpleName());
                }
            }
            return;
        }
        for (Class<?> tag : instrumenter.queryTags(node)) {
            String name = tag.getSimpleName();
            if (wanted.contains(name)) {
                learn(name, tag.asSubclass(Tag.class));
                action.accept(name);
            }
        }
    }

    /**
     * Returns a filter for the nodes of a source that carry a wanted tag, or for all of its nodes
     * while some are not known yet. A language makes nodes of what it had in one for the sake of
     * the tags that are asked for, so the fewer these are, the less that takes.
     */
    SourceSectionFilter nodesOf(Source source) {
        SourceSectionFilter.Builder filter =
                SourceSectionFilter.newBuilder().sourceIs(source::equals);
        List<Class<? extends Tag>> tags = all;
        return (tags.isEmpty() ? filter : filter.tagIs(tags.toArray(Class<?>[]::new))).build();
    }

    /** Returns a tag that some node so far has carried, or null. */
    @Nullable Class<? extends Tag> find(String name) {
        return known.get(name);
    }

    private void learn(String name, Class<? extends Tag> tag) {
        known.put(name, tag);
        if (known.size() == wanted.size()) {
            all = List.copyOf(known.values());
        }
    }
}
