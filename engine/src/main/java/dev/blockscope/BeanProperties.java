package dev.blockscope;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.Primitives;
import com.google.common.reflect.TypeToken;
import java.lang.invoke.MethodHandles;
import java.lang.ref.SoftReference;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a public class: the components of a record; else what its getters return and
 * its public fields hold, by name in alphabetical order.
 */
final class BeanProperties {
    /**
     * What is known of a class lives and goes with the class. It is held softly, so that a class
     * that outlives this library's loader does not hold that loader for good.
     */
    private static final ClassValue<SoftReference<BeanProperties>> KNOWN =
            new ClassValue<>() {
                @Override
                protected SoftReference<BeanProperties> computeValue(Class<?> type) {
                    return new SoftReference<>(new BeanProperties(type));
                }
            };

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private final String owner;
    private final Map<String, BeanProperty> properties;

    private BeanProperties(Class<?> type) {
        requireOpen(type);
        this.owner = type.getName();
        try {
            this.properties = type.isRecord() ? componentsOf(type) : membersOf(type);
        } catch (IllegalAccessException e) {
            throw new AssertionError("a public member of a public class is closed", e);
        }
        checkArgument(
                !properties.isEmpty(),
                "%s has no public getter and no public field; a frame over it would be empty",
                owner);
    }

    /**
     * Returns the properties of a class.
     *
     * @throws IllegalArgumentException if the class is not public in a package that is exported, or
     *     has no properties
     */
    static BeanProperties of(Class<?> type) {
        BeanProperties known = KNOWN.get(type).get();
        while (known == null) {
            KNOWN.remove(type);
            known = KNOWN.get(type).get();
        }
        return known;
    }

    /**
     * Returns one property.
     *
     * @throws UnsupportedOperationException if there is none of that name
     */
    BeanProperty get(String name) {
        BeanProperty property = properties.get(name);
        if (property == null) {
            throw new UnsupportedOperationException(
                    "%s has no property \"%s\"; it has %s"
                            .formatted(owner, name, String.join(", ", properties.keySet())));
        }
        return property;
    }

    /** Returns the values that all properties of an object have now. */
    Map<String, @Nullable Object> valuesOf(Object bean) {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        properties.forEach((name, property) -> values.put(name, property.valueOf(bean)));
        return values;
    }

    private static void requireOpen(Class<?> type) {
        checkArgument(
                !Map.class.isAssignableFrom(type),
                "%s is a map; a frame over its entries is Frame.of(map)",
                type.getName());
        checkArgument(
                isOpen(type),
                "%s is not public in an exported package, so its properties cannot be reached; make it so, or give the frame a getter and a setter function",
                type.getName());
    }

    private static boolean isOpen(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                && type.getModule()
                        .isExported(type.getPackageName(), BeanProperties.class.getModule());
    }

    private static Map<String, BeanProperty> componentsOf(Class<?> type)
            throws IllegalAccessException {
        Map<String, BeanProperty> properties = new LinkedHashMap<>();
        for (RecordComponent component : type.getRecordComponents()) {
            String name = component.getName();
            properties.put(
                    name,
                    new BeanProperty(
                            type,
                            name,
                            LOOKUP.unreflect(component.getAccessor()),
                            null,
                            new PropertyType(TypeToken.of(component.getGenericType()))));
        }
        return properties;
    }

    private static Map<String, BeanProperty> membersOf(Class<?> type)
            throws IllegalAccessException {
        Map<String, BeanProperty> properties = new TreeMap<>();
        for (Field field : type.getFields()) {
            if (counts(field)) {
                properties.put(field.getName(), ofField(type, field));
            }
        }
        for (Map.Entry<String, Method> getter : gettersOf(type).entrySet()) {
            properties.put(getter.getKey(), ofGetter(type, getter.getKey(), getter.getValue()));
        }
        return properties;
    }

    /** Getters by property; of two with one name the one with the narrower type. */
    private static Map<String, Method> gettersOf(Class<?> type) {
        Map<String, Method> getters = new TreeMap<>();
        for (Method method : type.getMethods()) {
            String name = propertyReadBy(method);
            if (name != null && counts(method)) {
                getters.merge(
                        name,
                        method,
                        (one, other) ->
                                one.getReturnType().isAssignableFrom(other.getReturnType())
                                        ? other
                                        : one);
            }
        }
        return getters;
    }

    private static boolean counts(Member member) {
        return !Modifier.isStatic(member.getModifiers())
                && member.getDeclaringClass() != Object.class
                && isOpen(member.getDeclaringClass());
    }

    private static @Nullable String propertyReadBy(Method method) {
        Class<?> returned = method.getReturnType();
        if (method.getParameterCount() > 0 || returned == void.class) {
            return null;
        }
        boolean truth = Primitives.wrap(returned) == Boolean.class;
        String name = method.getName();
        String property =
                name.startsWith("get")
                        ? name.substring(3)
                        : truth && name.startsWith("is") ? name.substring(2) : "";
        return property.isEmpty() || Character.isLowerCase(property.charAt(0))
                ? null
                : decapitalized(property);
    }

    /** As JavaBeans does it: {@code Total} is {@code total}, and {@code URL} stays as it is. */
    private static String decapitalized(String name) {
        boolean acronym =
                name.length() > 1
                        && Character.isUpperCase(name.charAt(0))
                        && Character.isUpperCase(name.charAt(1));
        return acronym ? name : Character.toLowerCase(name.charAt(0)) + name.substring(1);
    }

    private static BeanProperty ofField(Class<?> type, Field field) throws IllegalAccessException {
        return new BeanProperty(
                type,
                field.getName(),
                LOOKUP.unreflectGetter(field),
                Modifier.isFinal(field.getModifiers()) ? null : LOOKUP.unreflectSetter(field),
                new PropertyType(TypeToken.of(type).resolveType(field.getGenericType())));
    }

    private static BeanProperty ofGetter(Class<?> type, String name, Method getter)
            throws IllegalAccessException {
        Method setter = setterFor(type, getter);
        return new BeanProperty(
                type,
                name,
                LOOKUP.unreflect(getter),
                setter == null ? null : LOOKUP.unreflect(setter),
                new PropertyType(
                        TypeToken.of(type)
                                .resolveType(
                                        setter == null
                                                ? getter.getGenericReturnType()
                                                : setter.getGenericParameterTypes()[0])));
    }

    /** A setter takes whatever its getter may return; of several, the one with that very type. */
    private static @Nullable Method setterFor(Class<?> type, Method getter) {
        String name = "set" + getter.getName().substring(getter.getName().startsWith("is") ? 2 : 3);
        Class<?> returned = Primitives.wrap(getter.getReturnType());
        Method found = null;
        for (Method method : type.getMethods()) {
            if (method.getName().equals(name)
                    && method.getParameterCount() == 1
                    && counts(method)) {
                Class<?> taken = Primitives.wrap(method.getParameterTypes()[0]);
                if (taken == returned) {
                    return method;
                }
                if (taken.isAssignableFrom(returned)) {
                    found = method;
                }
            }
        }
        return found;
    }
}
