package dev.blockscope.wire;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What both sides know beyond plain values: host objects that exist on each of them and travel as a
 * name, and types of host values that travel as plain values under a name.
 *
 * {@snippet :
 * Vocabulary here = Vocabulary.builder().reference("model", model).build();
 * byte[] bytes = Envelope.of(block, here).toBytes(here);
 * // Elsewhere, "model" is bound to the model that is there.
 * Envelope.read(bytes, there).capture(engine).run();
 * }
 *
 * @since 0.1
 */
public final class Vocabulary {
    /** Knows plain values only. */
    public static final Vocabulary EMPTY = builder().build();

    private final Map<String, Object> references;
    private final IdentityHashMap<Object, String> names;
    private final Map<String, Type<?>> typesByName;
    private final Map<Class<?>, Type<?>> types;
    private final Map<String, Function<String, ? extends Throwable>> exceptions;

    private Vocabulary(Builder builder) {
        this.references = new LinkedHashMap<>(builder.references);
        this.names = new IdentityHashMap<>();
        references.forEach((name, object) -> names.put(object, name));
        this.typesByName = new LinkedHashMap<>(builder.types);
        this.types = new LinkedHashMap<>();
        typesByName.values().forEach(type -> types.put(type.type(), type));
        this.exceptions = new LinkedHashMap<>(builder.exceptions);
    }

    /** Returns a builder of a vocabulary that begins empty. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the name of a host object, or null if it has none. */
    @Nullable String nameOf(Object object) {
        return names.get(object);
    }

    /** Returns the host object of a name, or null if there is none. */
    @Nullable Object referenced(String name) {
        return references.get(name);
    }

    /** Returns the type that a host value travels as, or null if it is none of these. */
    @Nullable Type<?> typeOf(Object value) {
        return types.get(value.getClass());
    }

    /** Returns the type of a name, or null if there is none. */
    @Nullable Type<?> type(String name) {
        return typesByName.get(name);
    }

    /** Makes an exception of the host's again, or returns null if its class may not be made. */
    @Nullable Throwable exception(String className, String message) {
        Function<String, ? extends Throwable> make = exceptions.get(className);
        return make == null ? null : make.apply(message);
    }

    /** Returns the names of the host objects, for messages. */
    String known() {
        return references.isEmpty() ? "none" : String.join(", ", references.keySet());
    }

    /** Returns the names of the host objects. */
    Set<String> names() {
        return Collections.unmodifiableSet(references.keySet());
    }

    /**
     * A type of host values.
     *
     * @param name what it is called in an envelope
     * @param type its class; subclasses are other types
     * @param toPlain takes a value apart into values that travel
     * @param ofPlain makes a value of these; what it throws is an error of the envelope
     */
    record Type<T>(
            String name,
            Class<T> type,
            Function<? super T, ?> toPlain,
            Function<@Nullable Object, ? extends T> ofPlain) {
        Object plain(Object value) {
            return requireNonNull(toPlain.apply(type.cast(value)), "plain form");
        }
    }

    /**
     * What a vocabulary is to know.
     *
     * @since 0.1
     */
    public static final class Builder {
        private final Map<String, Object> references = new LinkedHashMap<>();
        private final Map<String, Type<?>> types = new LinkedHashMap<>();
        private final Map<String, Function<String, ? extends Throwable>> exceptions =
                new LinkedHashMap<>();

        private Builder() {}

        /**
         * Has a host object travel as a name. It is found by identity.
         *
         * @throws IllegalArgumentException if the name is taken
         */
        public Builder reference(String name, Object object) {
            requireNonNull(object, "object");
            checkArgument(
                    references.putIfAbsent(requireNonNull(name, "name"), object) == null,
                    "the name \"%s\" already refers to another object",
                    name);
            return this;
        }

        /**
         * Has values of a class travel as plain values.
         *
         * @param name what the type is called in an envelope, on both sides
         * @param type the class; subclasses are other types
         * @param toPlain takes a value apart into lists, maps, numbers, arrays and the like
         * @param ofPlain makes an equal value of these; it must not trust them
         * @throws IllegalArgumentException if the name is taken or belongs to the format itself
         */
        public <T> Builder type(
                String name,
                Class<T> type,
                Function<? super T, ?> toPlain,
                Function<@Nullable Object, ? extends T> ofPlain) {
            checkArgument(
                    !ObjectForm.isReserved(name), "the type name \"%s\" is the format's own", name);
            checkArgument(
                    types.putIfAbsent(name, new Type<>(name, type, toPlain, ofPlain)) == null,
                    "the type name \"%s\" is taken",
                    name);
            return this;
        }

        /**
         * Has exceptions of a class that a host function throws elsewhere come back as such. All
         * others come back as a {@link dev.blockscope.HostFailure}, which tells their class.
         *
         * @param type the class; subclasses are other types
         * @param ofMessage makes an exception with a message, which may be empty
         */
        public <T extends Throwable> Builder exception(
                Class<T> type, Function<String, ? extends T> ofMessage) {
            exceptions.put(type.getName(), requireNonNull(ofMessage, "ofMessage"));
            return this;
        }

        /** Creates the vocabulary. */
        public Vocabulary build() {
            return new Vocabulary(this);
        }
    }
}
