package dev.blockscope;

import static java.util.Objects.requireNonNull;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A few names with their values, in their order, which never change. Most runs bind no more, and
 * for so few two arrays are made and searched faster than a table.
 */
final class FewBindings extends AbstractMap<String, @Nullable Object> {
    /** The most names that it is for. */
    static final int MOST = 8;

    private final String[] names;
    private final @Nullable Object[] values;

    /**
     * Creates a map of arrays that nobody changes any more.
     *
     * @param names no two of them are the same
     */
    FewBindings(String[] names, @Nullable Object[] values) {
        this.names = names;
        this.values = values;
    }

    @Override
    public int size() {
        return names.length;
    }

    @Override
    public @Nullable Object get(@Nullable Object name) {
        int index = indexOf(name);
        return index < 0 ? null : values[index];
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return indexOf(name) >= 0;
    }

    private int indexOf(@Nullable Object name) {
        for (int i = 0; i < names.length; i++) {
            if (names[i].equals(name)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public void forEach(BiConsumer<? super String, ? super @Nullable Object> action) {
        requireNonNull(action, "action");
        for (int i = 0; i < names.length; i++) {
            action.accept(names[i], values[i]);
        }
    }

    @Override
    public Set<Map.Entry<String, @Nullable Object>> entrySet() {
        List<Map.Entry<String, @Nullable Object>> entries = new ArrayList<>(names.length);
        forEach((name, value) -> entries.add(new SimpleImmutableEntry<>(name, value)));
        return new AbstractSet<>() {
            @Override
            public Iterator<Map.Entry<String, @Nullable Object>> iterator() {
                return Collections.unmodifiableList(entries).iterator();
            }

            @Override
            public int size() {
                return entries.size();
            }
        };
    }
}
