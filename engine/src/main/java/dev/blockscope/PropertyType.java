package dev.blockscope;

import com.google.common.primitives.Primitives;
import com.google.common.reflect.TypeToken;
import java.lang.reflect.Array;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The type of a property, a parameter or an array's elements, and which values of a block fit it:
 * those that it holds without loss. A list that is to be a {@code List<Long>} fits if its elements
 * do.
 */
record PropertyType(TypeToken<?> type) {
    private static final TypeToken<?> ANYTHING = TypeToken.of(Object.class);

    /** Returns a class as a type, with anything in its containers. */
    static PropertyType of(Class<?> type) {
        return new PropertyType(TypeToken.of(type));
    }

    /**
     * Returns a plain value as a value of this type.
     *
     * @throws IllegalArgumentException if the type cannot hold it without loss, naming both types
     */
    @Nullable Object fit(@Nullable Object value) {
        Class<?> raw = Primitives.wrap(type.getRawType());
        return switch (value) {
            case null -> {
                if (type.isPrimitive()) {
                    throw misfit(null, null);
                }
                yield null;
            }
            case Object any when raw == Object.class -> any;
            case List<?> list when raw.isArray() -> array(list);
            case Collection<?> items when raw.isInstance(items) -> items(items);
            case Map<?, ?> map when raw.isInstance(map) -> map(map);
            case Object same when raw.isInstance(same) -> same;
            case Number number when Number.class.isAssignableFrom(raw) -> number(number, raw);
            case String name when raw.isEnum() -> constant(name, raw);
            case String letter when raw == Character.class && letter.length() == 1 ->
                    letter.charAt(0);
            case Instant instant when raw == Date.class -> Date.from(instant);
            case GuestFunction function when raw.isInterface() -> function(function, raw);
            default -> throw misfit(value, null);
        };
    }

    private Object array(List<?> list) {
        PropertyType element =
                new PropertyType(
                        type.getComponentType() == null ? ANYTHING : type.getComponentType());
        Object array = Array.newInstance(element.type.getRawType(), list.size());
        for (int i = 0; i < list.size(); i++) {
            Array.set(array, i, part(element, list.get(i), list));
        }
        return array;
    }

    /** A collection whose elements fit as they are stays itself. */
    private Object items(Collection<?> items) {
        PropertyType element = parameter(Collection.class, 0);
        List<@Nullable Object> fitted = new ArrayList<>(items.size());
        boolean same = true;
        for (Object item : items) {
            Object part = part(element, item, items);
            same &= Objects.equals(part, item);
            fitted.add(part);
        }
        if (same) {
            return items;
        }
        Object copy = items instanceof Set ? new LinkedHashSet<>(fitted) : fitted;
        return copied(copy, items);
    }

    private Object map(Map<?, ?> map) {
        PropertyType key = parameter(Map.class, 0);
        PropertyType value = parameter(Map.class, 1);
        Map<@Nullable Object, @Nullable Object> fitted = new LinkedHashMap<>();
        boolean same = true;
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            Object fittedKey = part(key, entry.getKey(), map);
            Object fittedValue = part(value, entry.getValue(), map);
            same &=
                    Objects.equals(fittedKey, entry.getKey())
                            && Objects.equals(fittedValue, entry.getValue());
            fitted.put(fittedKey, fittedValue);
        }
        return same ? map : copied(fitted, map);
    }

    private PropertyType parameter(Class<?> container, int index) {
        return new PropertyType(
                container.isAssignableFrom(type.getRawType())
                        ? type.resolveType(container.getTypeParameters()[index])
                        : ANYTHING);
    }

    private @Nullable Object part(PropertyType part, @Nullable Object value, Object whole) {
        try {
            return part.fit(value);
        } catch (IllegalArgumentException e) {
            throw misfit(whole, e);
        }
    }

    private Object copied(Object copy, Object value) {
        if (!type.getRawType().isInstance(copy)) {
            throw misfit(value, null);
        }
        return copy;
    }

    private Object number(Number value, Class<?> target) {
        try {
            return Numbers.exact(value, target);
        } catch (ArithmeticException e) {
            throw misfit(value, e);
        }
    }

    private Object constant(String name, Class<?> constants) {
        return Arrays.stream(constants.getEnumConstants())
                .filter(constant -> ((Enum<?>) constant).name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        misfit(
                                name,
                                new IllegalArgumentException(
                                        "its constants are "
                                                + Arrays.toString(constants.getEnumConstants()))));
    }

    private Object function(GuestFunction function, Class<?> contract) {
        try {
            return function.as(contract);
        } catch (IllegalArgumentException e) {
            throw misfit(function, e);
        }
    }

    private IllegalArgumentException misfit(@Nullable Object value, @Nullable Exception why) {
        String got =
                switch (value) {
                    case null -> "null";
                    case String text -> "\"" + text + "\" (java.lang.String)";
                    default -> value + " (" + value.getClass().getTypeName() + ")";
                };
        String reason = why == null ? "" : ": " + why.getMessage();
        return new IllegalArgumentException(
                "expected %s, got %s%s".formatted(type.getType().getTypeName(), got, reason), why);
    }
}
