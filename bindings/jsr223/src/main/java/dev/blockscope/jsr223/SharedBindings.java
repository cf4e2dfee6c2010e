package dev.blockscope.jsr223;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import javax.script.Bindings;
import org.jspecify.annotations.Nullable;

/**
 * Bindings that many threads may use at once, in alphabetical order. Null is a value. Who walks
 * through them while others write sees the one or the other.
 */
final class SharedBindings extends AbstractMap<String, @Nullable Object> implements Bindings {
    private static final Object NULL = new Object();

    private final NavigableMap<String, Object> values = new ConcurrentSkipListMap<>();

    @Override
    public @Nullable Object put(String name, @Nullable Object value) {
        return unmasked(values.put(checked(name), value == null ? NULL : value));
    }

    @Override
    public void putAll(Map<? extends String, ? extends @Nullable Object> toMerge) {
        requireNonNull(toMerge, "toMerge");
        toMerge.forEach(this::put);
    }

    @Override
    public boolean containsKey(@Nullable Object name) {
        return values.containsKey(checked(name));
    }

    @Override
    public @Nullable Object get(@Nullable Object name) {
        return unmasked(values.get(checked(name)));
    }

    @Override
    public @Nullable Object remove(@Nullable Object name) {
        return unmasked(values.remove(checked(name)));
    }

    @Override
    public Set<Map.Entry<String, @Nullable Object>> entrySet() {
        return new Entries();
    }

    /**
     * Checks a key as {@link Bindings} specifies.
     *
     * @throws NullPointerException if it is null
     * @throws ClassCastException if it is no text
     * @throws IllegalArgumentException if it is empty
     */
    private static String checked(@Nullable Object key) {
        String name = (String) requireNonNull(key, "key");
        checkArgument(!name.isEmpty(), "the key is empty; a name is expected");
        return name;
    }

    private static @Nullable Object unmasked(@Nullable Object value) {
        return value == NULL ? null : value;
    }

    private final class Entries extends AbstractSet<Map.Entry<String, @Nullable Object>> {
        @Override
        public int size() {
            return values.size();
        }

        @Override
        public Iterator<Map.Entry<String, @Nullable Object>> iterator() {
            Iterator<Map.Entry<String, Object>> entries = values.entrySet().iterator();
            return new Iterator<>() {
                @Override
                public boolean hasNext() {
                    return entries.hasNext();
                }

                @Override
                public Map.Entry<String, @Nullable Object> next() {
                    Map.Entry<String, Object> entry = entries.next();
                    return new Binding(entry.getKey(), unmasked(entry.getValue()));
                }

                @Override
                public void remove() {
                    entries.remove();
                }
            };
        }
    }

    /** An entry whose value can be set. */
    private final class Binding extends SimpleEntry<String, @Nullable Object> {
        private static final long serialVersionUID = 1L;

        Binding(String name, @Nullable Object value) {
            super(name, value);
        }

        @Override
        public @Nullable Object setValue(@Nullable Object value) {
            put(getKey(), value);
            return super.setValue(value);
        }
    }
}
