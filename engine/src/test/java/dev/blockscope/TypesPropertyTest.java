package dev.blockscope;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/** Plain data goes into a block and comes out of it equal. */
class TypesPropertyTest {
    /** Copies a value in the guest, so that what comes out was read and not handed through. */
    private static final String COPY =
            """
            const copy = v => v instanceof Date ? new Date(v.getTime())
                : Array.isArray(v) ? v.map(copy)
                : v !== null && typeof v === 'object'
                    ? Object.fromEntries(Object.keys(v).map(k => [k, copy(v[k])]))
                : v;
            """;

    /** The largest whole number that every neighbour of it in the guest is exact with. */
    private static final long EXACT = (1L << 53) - 1;

    private static BlockEngine engine;
    private static Frame frame;

    @BeforeContainer
    static void open() {
        engine = BlockEngine.create();
        frame = Frame.of(new LinkedHashMap<>());
    }

    @AfterContainer
    static void close() {
        engine.close();
    }

    @Provide
    Arbitrary<Object> data() {
        Arbitrary<Object> leaf =
                Arbitraries.oneOf(
                        Arbitraries.of(true, false).map(v -> (Object) v),
                        Arbitraries.integers().map(v -> (Object) v),
                        Arbitraries.longs().between(-EXACT, EXACT).map(TypesPropertyTest::normal),
                        Arbitraries.doubles().map(TypesPropertyTest::normal),
                        Arbitraries.of(Double.NaN, -0.0, Double.POSITIVE_INFINITY, Double.MIN_VALUE)
                                .map(v -> (Object) v),
                        Arbitraries.strings().ofMaxLength(8).map(v -> (Object) v),
                        Arbitraries.longs()
                                .between(-8_000_000_000_000L, 8_000_000_000_000L)
                                .map(v -> (Object) Instant.ofEpochMilli(v)));
        return nested(nested(leaf));
    }

    private static Arbitrary<Object> nested(Arbitrary<Object> inner) {
        Arbitrary<Object> element = inner.injectNull(0.1);
        Arbitrary<String> key = Arbitraries.strings().alpha().ofMinLength(1).ofMaxLength(6);
        return Arbitraries.oneOf(
                inner,
                element.list().ofMaxSize(4).map(list -> (Object) list),
                Arbitraries.maps(key, element).ofMaxSize(4).map(map -> (Object) map));
    }

    /** The number as the table has it: the smallest of Integer, Long and Double that holds it. */
    private static Object normal(long value) {
        return value == (int) value ? (Object) (int) value : (Object) value;
    }

    private static Object normal(double value) {
        boolean whole =
                Math.rint(value) == value
                        && Math.abs(value) < 1L << 53
                        && !(value == 0 && 1 / value < 0);
        return whole ? normal((long) value) : (Object) value;
    }

    @Property(tries = 150, edgeCases = EdgeCasesMode.NONE)
    void whatGoesInComesOutEqual(@ForAll("data") Object data) {
        SharedLocals.of(frame).put("given", (@Nullable Object) data);

        Object value = engine.capture("given", frame).evaluate().value();

        assertThat(value).isEqualTo(data);
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    void aCopyMadeInTheGuestIsEqual(@ForAll("data") Object data) {
        SharedLocals.of(frame).put("given", (@Nullable Object) data);

        Object value = engine.capture(COPY + "copy(given)", frame).evaluate().value();

        assertThat(plain(value)).isEqualTo(plain(data));
    }

    @Property(tries = 100, edgeCases = EdgeCasesMode.NONE)
    void aCopyGoesThroughTheHostAndBack(@ForAll("data") Object data) {
        SharedLocals.of(frame).put("given", (@Nullable Object) data);

        BlockResult copied = engine.capture(COPY + "copied = copy(given); 0", frame).evaluate();
        SharedLocals.of(frame).put("given", copied.bindings().get("copied"));
        Object again = engine.capture(COPY + "copy(given)", frame).evaluate().value();

        assertThat(again).isEqualTo(copied.bindings().get("copied"));
    }

    /** Returns the data in collections that are equal whatever made them. */
    private static @Nullable Object plain(@Nullable Object data) {
        return switch (data) {
            case Map<?, ?> map -> {
                Map<Object, Object> copy = new LinkedHashMap<>();
                map.forEach((key, value) -> copy.put(key, plain(value)));
                yield copy;
            }
            case List<?> list -> {
                List<Object> copy = new ArrayList<>();
                list.forEach(value -> copy.add(plain(value)));
                yield copy;
            }
            case null, default -> data;
        };
    }
}
