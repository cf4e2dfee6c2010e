package dev.blockscope.wire;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Date;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Values that CBOR has no type of its own for: a tagged array of the form's name and one plain
 * value.
 */
@SuppressWarnings("ImmutableEnumChecker") // functions without a state
enum ObjectForm {
    BYTE(
            "byte",
            Byte.class,
            Byte::intValue,
            it -> (byte) integer(it, Byte.MIN_VALUE, Byte.MAX_VALUE)),
    SHORT(
            "short",
            Short.class,
            Short::intValue,
            it -> (short) integer(it, Short.MIN_VALUE, Short.MAX_VALUE)),
    /** A long that would be taken for an int: what others write as a number is one by its size. */
    LONG("long", Long.class, Long::intValue, it -> integer(it, Long.MIN_VALUE, Long.MAX_VALUE)),
    CHAR("char", Character.class, String::valueOf, ObjectForm::character),
    LOCAL_TIME("localTime", LocalTime.class, LocalTime::toString, it -> LocalTime.parse(text(it))),
    LOCAL_DATE_TIME(
            "localDateTime",
            LocalDateTime.class,
            LocalDateTime::toString,
            it -> LocalDateTime.parse(text(it))),
    OFFSET_DATE_TIME(
            "offsetDateTime",
            OffsetDateTime.class,
            OffsetDateTime::toString,
            it -> OffsetDateTime.parse(text(it))),
    ZONED_DATE_TIME(
            "zonedDateTime",
            ZonedDateTime.class,
            ZonedDateTime::toString,
            it -> ZonedDateTime.parse(text(it))),
    DURATION("duration", Duration.class, Duration::toString, it -> Duration.parse(text(it))),
    DATE(
            "date",
            Date.class,
            date -> date.toInstant().toString(),
            it -> Date.from(Instant.parse(text(it))));

    private static final Map<String, ObjectForm> BY_NAME =
            Arrays.stream(values())
                    .collect(Collectors.toMap(ObjectForm::wireName, Function.identity()));

    private static final Map<Class<?>, ObjectForm> BY_TYPE =
            Arrays.stream(values())
                    .collect(Collectors.toMap(form -> form.type, Function.identity()));

    private final String name;
    private final Class<?> type;
    private final Function<Object, Object> toPlain;
    private final Function<Object, Object> ofPlain;

    <T> ObjectForm(
            String name,
            Class<T> type,
            Function<? super T, ?> toPlain,
            Function<Object, ? extends T> ofPlain) {
        this.name = name;
        this.type = type;
        this.toPlain = value -> toPlain.apply(type.cast(value));
        this.ofPlain = ofPlain::apply;
    }

    /** Returns the form of a value, or null if it has none of these. */
    static @Nullable ObjectForm of(Object value) {
        return BY_TYPE.get(value.getClass());
    }

    /** Returns the form of a name, or null if there is none. */
    static @Nullable ObjectForm named(String name) {
        return BY_NAME.get(name);
    }

    /** Whether a name is taken by the format itself. */
    static boolean isReserved(String name) {
        return BY_NAME.containsKey(name) || CborTags.OBJECT_NAMES.contains(name);
    }

    String wireName() {
        return name;
    }

    Object plain(Object value) {
        return toPlain.apply(value);
    }

    /**
     * Makes the value of what was read.
     *
     * @throws RuntimeException if it is none
     */
    Object of(@Nullable Object plain, String form) {
        if (plain == null) {
            throw new IllegalArgumentException("a " + form + " is null");
        }
        return ofPlain.apply(plain);
    }

    private static String text(Object plain) {
        if (plain instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException(
                "expected a text, found " + plain.getClass().getSimpleName());
    }

    private static Character character(Object plain) {
        String text = text(plain);
        if (text.length() != 1) {
            throw new IllegalArgumentException("a char has " + text.length() + " characters");
        }
        return text.charAt(0);
    }

    private static long integer(Object plain, long least, long most) {
        if ((plain instanceof Integer || plain instanceof Long)) {
            long value = ((Number) plain).longValue();
            if (value >= least && value <= most) {
                return value;
            }
        }
        throw new IllegalArgumentException(
                "expected a whole number from %d to %d, found %s"
                        .formatted(least, most, Parts.shown(plain)));
    }
}
