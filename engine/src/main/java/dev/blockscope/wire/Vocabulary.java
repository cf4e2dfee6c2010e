package dev.blockscope.wire;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import dev.blockscope.HostPart;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
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
    private final Map<String, ExceptionType<?>> exceptions;
    private final Map<String, TraceHost> computations;

    private Vocabulary(Builder builder) {
        this.references = new LinkedHashMap<>(builder.references);
        this.names = new IdentityHashMap<>();
        references.forEach((name, object) -> {
            names.put(object, name);
            if (object instanceof HostPart whole) {
                names.put(whole.whole(), name);
            }
        });
        this.typesByName = new LinkedHashMap<>(builder.types);
        this.types = new LinkedHashMap<>();
        typesByName.values().forEach(type -> types.put(type.type(), type));
        this.exceptions = new LinkedHashMap<>(builder.exceptions);
        this.computations = new LinkedHashMap<>(builder.computations);
    }

    /** Returns a builder of a vocabulary that begins empty. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns a vocabulary that knows what this one and another one know. What a name means in both
     * it means as the other one says.
     */
    public Vocabulary and(Vocabulary other) {
        Builder both = builder();
        for (Vocabulary each : List.of(this, other)) {
            both.references.putAll(each.references);
            both.types.putAll(each.typesByName);
            both.exceptions.putAll(each.exceptions);
            both.computations.putAll(each.computations);
        }
        return both.build();
    }

    /** Returns the computation of a name, or null if there is none. */
    @Nullable TraceHost computation(String name) {
        return computations.get(name);
    }

    /** Returns the names of the computations. */
    Set<String> computations() {
        return Collections.unmodifiableSet(computations.keySet());
    }

    /** Returns the name of a host object, or null if it has none. */
    @Nullable String nameOf(Object object) {
        return object instanceof RemoteEnvoy envoy && envoy.isWhole()
                ? envoy.name()
                : names.get(object);
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

    /** Returns what is known of exceptions of a class, or null if these may not be made. */
    @Nullable ExceptionType<?> exception(String className) {
        return exceptions.get(className);
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
     * A type of exceptions of the host's.
     *
     * @param type its class; subclasses are other types
     * @param toPlain returns what travels of an exception beside its message
     * @param made makes an exception of its message and of that; if it throws, there is a {@link
     *     dev.blockscope.HostFailure} instead
     */
    record ExceptionType<T extends Throwable>(
            Class<T> type,
            Function<? super T, ? extends @Nullable Object> toPlain,
            BiFunction<String, @Nullable Object, ? extends T> made) {
        @Nullable Object plain(Throwable exception) {
            return toPlain.apply(type.cast(exception));
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
        private final Map<String, ExceptionType<?>> exceptions = new LinkedHashMap<>();
        private final Map<String, TraceHost> computations = new LinkedHashMap<>();

        private Builder() {}

        /**
         * Has a host object travel as a name, and its parts as that name and a place, if it is a
         * {@link HostPart}. It is found by identity.
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
            requireNonNull(ofMessage, "ofMessage");
            return exception(type, _ -> null, (message, _) -> ofMessage.apply(message));
        }

        /**
         * Has exceptions of a class come back as such with more than their message.
         *
         * @param type the class; subclasses are other types
         * @param toPlain returns what travels beside the message, as plain values
         * @param made makes an exception of its message, which may be empty, and of these; it must
         *     not trust them
         */
        public <T extends Throwable> Builder exception(
                Class<T> type,
                Function<? super T, ? extends @Nullable Object> toPlain,
                BiFunction<String, @Nullable Object, ? extends T> made) {
            exceptions.put(type.getName(), new ExceptionType<>(type, toPlain, made));
            return this;
        }

        /**
         * Has a computation of the host's run in step with blocks that come from elsewhere. Its
         * envoy, and the parts of that, travel as its name.
         *
         * @throws IllegalArgumentException if the name is taken
         */
        public Builder computation(String name, TraceHost host) {
            reference(name, host.envoy());
            computations.put(name, host);
            return this;
        }

        /** Creates the vocabulary. */
        public Vocabulary build() {
            return new Vocabulary(this);
        }
    }
}
