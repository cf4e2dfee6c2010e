package dev.blockscope;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.Proxy;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyIterable;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/**
 * Shows host values to guest code as the data they are: a map by its keys, a list and an array by
 * their positions, a record by its components, a lambda as a function. Views are live: what guest
 * code writes arrives in the host's object, or is an error; it is never lost.
 */
final class HostToGuest {
    private HostToGuest() {}

    static @Nullable Object convert(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case String text -> text;
            case Number number -> number(number);
            case Proxy proxy -> proxy;
            case Value guest -> guest;
            case Slot slot -> slot.guest(Realm.entered());
            case GuestFunction function -> function.guest();
            case FunctionSource function -> function.guest();
            case Optional<?> optional -> convert(optional.orElse(null));
            case Map<?, ?> map -> view(map);
            case List<?> list -> view(list);
            case Collection<?> collection -> view(collection);
            case Enum<?> constant -> constant.name();
            case Record record -> view(record);
            case Boolean truth -> truth;
            case Character letter -> letter;
            // What the language itself must know as what it is: it throws one and reads the other.
            case Throwable exception -> exception;
            case Class<?> type -> type;
            case ByteBuffer bytes -> bytes;
            default -> value.getClass().isArray() ? view(value) : object(value);
        };
    }

    /** A BigDecimal that no double can hold stays what it is: adding to it must not make text. */
    private static Object number(Number number) {
        if (!(number instanceof BigDecimal decimal)) {
            return number;
        }
        double nearest = decimal.doubleValue();
        boolean exact =
                Double.isFinite(nearest) && BigDecimal.valueOf(nearest).compareTo(decimal) == 0;
        return exact ? (Object) nearest : new DecimalView(decimal);
    }

    private static Object object(Object value) {
        HostFunction function = HostFunction.of(value);
        return function == null ? view(value) : function;
    }

    /**
     * Returns the view of an object that a run has: in one realm always the same one, as long as
     * guest code holds it, for {@code a === b} compares views.
     */
    private static HostView view(Object value) {
        Realm realm = Realm.entered();
        return realm == null
                ? viewOf(value)
                : realm.views().computeIfAbsent(value, HostToGuest::viewOf);
    }

    private static HostView viewOf(Object value) {
        return switch (value) {
            case CompletionStage<?> future -> new FutureView(future);
            case Map<?, ?> map -> new MapView(map);
            case List<?> list -> new ListView(list);
            case Collection<?> collection -> new CollectionView(collection);
            case Record record -> new RecordView(record);
            case Instant time -> new TimeView.OfInstant(time, time.atZone(ZoneOffset.UTC));
            case Date time -> new TimeView.OfTimestamp(time);
            case ZonedDateTime time -> new TimeView.OfInstant(time, time);
            case OffsetDateTime time -> new TimeView.OfInstant(time, time.toZonedDateTime());
            case LocalDateTime time ->
                    new TimeView.OfDateTime(time, time.toLocalDate(), time.toLocalTime());
            case LocalDate day -> new TimeView.OfDate(day, day);
            case LocalTime time -> new TimeView.OfTime(time, time);
            default -> value.getClass().isArray() ? new ArrayView(value) : new ObjectView(value);
        };
    }

    private static RuntimeException lost(String what, Object value, RuntimeException cause) {
        return new IllegalArgumentException(
                "cannot write %s to %s: %s".formatted(what, typeOf(value), why(value, cause)),
                cause);
    }

    private static String typeOf(Object value) {
        return value.getClass().getTypeName();
    }

    private static String why(Object value, RuntimeException cause) {
        return switch (cause) {
            case UnsupportedOperationException _ when cause.getMessage() == null ->
                    "it cannot be changed that way";
            case IndexOutOfBoundsException _ ->
                    "it has no such place, its length is "
                            + (value instanceof List<?> list
                                    ? list.size()
                                    : Array.getLength(value));
            case IllegalArgumentException misfit when misfit.getMessage() != null ->
                    misfit.getMessage();
            default -> cause.toString();
        };
    }

    /** A map as data: {@code row.id}, {@code 'id' in row}, {@code Object.keys(row)}. */
    private record MapView(Map<?, ?> host) implements ProxyObject, HostView {
        @Override
        public @Nullable Object getMember(String key) {
            return convert(host.get(keyOf(host, key)));
        }

        @Override
        public Object getMemberKeys() {
            List<Object> keys = new ArrayList<>();
            host.keySet().forEach(key -> keys.add(String.valueOf(key)));
            return ProxyArray.fromList(keys);
        }

        @Override
        public boolean hasMember(String key) {
            return host.containsKey(keyOf(host, key));
        }

        @Override
        @SuppressWarnings("unchecked") // what the map refuses it says itself
        public void putMember(String key, Value value) {
            try {
                ((Map<@Nullable Object, @Nullable Object>) host)
                        .put(keyOf(host, key), GuestToHost.argument(value));
            } catch (RuntimeException e) {
                throw lost('"' + key + '"', host, e);
            }
        }

        @Override
        public boolean removeMember(String key) {
            Object found = keyOf(host, key);
            boolean had = host.containsKey(found);
            try {
                host.remove(found);
            } catch (RuntimeException e) {
                throw lost('"' + key + '"', host, e);
            }
            return had;
        }

        @Override
        public String toString() {
            return HostView.nameOf(host);
        }
    }

    /**
     * Returns the map's own key that reads like a name: members are named by text, keys may not be.
     */
    private static @Nullable Object keyOf(Map<?, ?> map, String name) {
        if (!map.containsKey(name)) {
            for (Object key : map.keySet()) {
                if (!(key instanceof String) && String.valueOf(key).equals(name)) {
                    return key;
                }
            }
        }
        return name;
    }

    private record ListView(List<?> host) implements ProxyArray, FixedView {
        @Override
        public @Nullable Object get(long index) {
            if (index < 0 || index >= host.size()) {
                throw new ArrayIndexOutOfBoundsException("the list has no element " + index);
            }
            return convert(host.get((int) index));
        }

        @Override
        @SuppressWarnings("unchecked") // what the list refuses it says itself
        public void set(long index, Value value) {
            List<@Nullable Object> list = (List<@Nullable Object>) host;
            try {
                Object element = GuestToHost.argument(value);
                if (index == list.size()) {
                    list.add(element);
                } else {
                    list.set(Math.toIntExact(index), element);
                }
            } catch (RuntimeException e) {
                throw lost("[" + index + "]", host, e);
            }
        }

        @Override
        public boolean remove(long index) {
            try {
                host.remove(Math.toIntExact(index));
            } catch (RuntimeException e) {
                throw lost("[" + index + "]", host, e);
            }
            return true;
        }

        @Override
        public long getSize() {
            return host.size();
        }

        @Override
        public String toString() {
            return HostView.nameOf(host);
        }
    }

    private record CollectionView(Collection<?> host) implements ProxyIterable, FixedView {
        @Override
        public Object getIterator() {
            return org.graalvm.polyglot.proxy.ProxyIterator.from(
                    host.stream().<Object>map(HostToGuest::convert).iterator());
        }

        @Override
        public String toString() {
            return HostView.nameOf(host);
        }
    }

    private record ArrayView(Object host) implements ProxyArray, FixedView {
        @Override
        public @Nullable Object get(long index) {
            return convert(Array.get(host, Math.toIntExact(index)));
        }

        @Override
        public void set(long index, Value value) {
            Class<?> type = host.getClass().getComponentType();
            try {
                Array.set(host, Math.toIntExact(index), HostFunction.coerce(value, type));
            } catch (RuntimeException e) {
                throw lost("[" + index + "]", host, e);
            }
        }

        @Override
        public long getSize() {
            return Array.getLength(host);
        }

        @Override
        public String toString() {
            return HostView.nameOf(host);
        }
    }

    private record DecimalView(BigDecimal host) implements FixedView {
        @Override
        public @Nullable Object getMember(String key) {
            if (key.equals("toString")) {
                return (org.graalvm.polyglot.proxy.ProxyExecutable) arguments -> host.toString();
            }
            if (key.equals("valueOf")) {
                return (org.graalvm.polyglot.proxy.ProxyExecutable)
                        arguments -> {
                            throw new ArithmeticException(
                                    "%s has more digits than a number of the guest language holds; use it as text or convert it in the host"
                                            .formatted(host));
                        };
            }
            return null;
        }

        @Override
        public boolean hasMember(String key) {
            return key.equals("toString") || key.equals("valueOf");
        }

        @Override
        public String toString() {
            return HostView.nameOf(host);
        }
    }
}
