package dev.blockscope.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.blockscope.BlockSource;
import dev.blockscope.FrameCode;
import dev.blockscope.Limits;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.Socket;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Values that go into an envelope and come out of it. */
@SuppressWarnings("JavaUtilDate") // it travels like any other
final class WireValuesTest {
    record Point(int x, List<Integer> more) {}

    private static Object there(Object value) {
        return there(value, Vocabulary.EMPTY);
    }

    private static Object there(Object value, Vocabulary vocabulary) {
        return Envelope.read(envelope(value).toBytes(vocabulary), vocabulary).values().get("v");
    }

    private static Envelope envelope(Object value) {
        return new Envelope(
                BlockSource.javaScript("v", "a.js"),
                new FrameCode("a.js", 1, ""),
                Collections.singletonMap("v", value),
                Limits.NONE);
    }

    static Stream<Object> values() {
        return Stream.of(
                null,
                true,
                false,
                0,
                -1,
                Integer.MAX_VALUE,
                Integer.MIN_VALUE,
                5L,
                -5L,
                Long.MAX_VALUE,
                Long.MIN_VALUE,
                9_007_199_254_740_993L,
                (byte) -33,
                (short) 700,
                'x',
                1.5,
                -0.0,
                Double.NaN,
                Double.NEGATIVE_INFINITY,
                Double.MIN_VALUE,
                1.5f,
                Float.NaN,
                BigInteger.ONE,
                BigInteger.ONE.shiftLeft(200),
                BigInteger.ONE.shiftLeft(64).negate(),
                new BigDecimal("0.10"),
                new BigDecimal("-1E+30"),
                "",
                "häß😀",
                "half \ud83d a pair",
                "x".repeat(100_000),
                Instant.parse("2026-11-30T01:02:03.123456789Z"),
                Instant.MIN,
                LocalDate.of(2026, 2, 28),
                LocalTime.of(1, 2, 3, 4),
                LocalDateTime.of(2026, 2, 28, 1, 2),
                OffsetDateTime.parse("2026-02-28T01:02:03+05:30"),
                ZonedDateTime.parse("2026-02-28T01:02:03+01:00[Europe/Berlin]"),
                Duration.ofNanos(1_234_567_890_123L),
                new Date(12_345),
                List.of(),
                List.of(1, List.of(2L, "three")),
                Arrays.asList(1, null),
                Map.of(),
                Map.of("a", Map.of("b", List.of(1))),
                Map.of(1, "one"),
                Map.of("half \ud83d", 1),
                Collections.singletonMap(null, 1),
                Set.of("one"));
    }

    @ParameterizedTest
    @MethodSource("values")
    void comeOutEqualAndOfTheSameType(Object value) {
        Object there = there(value);
        assertThat(there).isEqualTo(value);
        if (value != null && !(value instanceof Map) && !(value instanceof Iterable)) {
            assertThat(there).hasSameClassAs(value);
        }
    }

    static Stream<Arguments> arrays() {
        return Stream.<Object>of(
                        new byte[] {1, -33},
                        new byte[300_000],
                        new short[] {1, Short.MIN_VALUE},
                        new int[] {1, Integer.MIN_VALUE},
                        new long[] {1, Long.MIN_VALUE},
                        new float[] {1.5f, Float.NaN},
                        new double[] {1.5, -0.0},
                        new boolean[] {true, false},
                        new char[] {'a', '\ud83d'},
                        new int[0],
                        new Object[] {1, null, new int[] {2}},
                        new Object[0])
                .map(array -> Arguments.of(array));
    }

    @ParameterizedTest
    @MethodSource("arrays")
    void arraysComeOutAsTheSameArrays(Object array) {
        assertThat(Arrays.deepEquals(new Object[] {there(array)}, new Object[] {array})).isTrue();
    }

    static Stream<Arguments> dataForms() {
        return Stream.of(
                Arguments.of(new Point(1, List.of(2)), Map.of("x", 1, "more", List.of(2))),
                Arguments.of(DayOfWeek.MONDAY, "MONDAY"),
                Arguments.of(Optional.of(7), 7),
                Arguments.of(Optional.empty(), null),
                Arguments.of(new java.util.ArrayDeque<>(List.of(1, 2)), List.of(1, 2)));
    }

    @ParameterizedTest
    @MethodSource("dataForms")
    void otherDataComesOutAsABlockSeesIt(Object value, Object expected) {
        assertThat(there(value)).isEqualTo(expected);
    }

    @Test
    void mapsAndSetsKeepTheirOrder() {
        Map<String, Integer> map = new LinkedHashMap<>();
        List.of("z", "a", "m").forEach(key -> map.put(key, 1));
        assertThat(((Map<?, ?>) there(map)).keySet()).hasToString("[z, a, m]");
        assertThat(there(new LinkedHashSet<>(List.of(3, 1, 2)))).hasToString("[3, 1, 2]");
    }

    @Test
    void sharedReferencesStayShared() {
        List<Integer> inner = new ArrayList<>(List.of(1));
        int[] numbers = {1};
        List<?> out = (List<?>) there(List.of(inner, Map.of("k", inner), numbers, numbers));
        assertThat(out.get(0)).isSameAs(((Map<?, ?>) out.get(1)).get("k"));
        assertThat(out.get(2)).isSameAs(out.get(3));
    }

    @Test
    void valuesOfTwoVariablesStaySharedToo() {
        List<Integer> both = List.of(1);
        Envelope envelope =
                new Envelope(
                        BlockSource.javaScript("a", "a.js"),
                        new FrameCode("a.js", 1, ""),
                        Map.of("a", both, "b", both),
                        Limits.NONE);
        Map<String, Object> out = Envelope.read(envelope.toBytes()).values();
        assertThat(out.get("a")).isSameAs(out.get("b"));
    }

    @Test
    void whatHoldsItselfComesOutHoldingItself() {
        List<Object> list = new ArrayList<>();
        list.add(Map.of("list", list));
        List<?> there = (List<?>) there(list);
        assertThat(((Map<?, ?>) there.getFirst()).get("list")).isSameAs(there);
        Object[] array = new Object[1];
        array[0] = array;
        Object[] arrayThere = (Object[]) there(array);
        assertThat(arrayThere[0]).isSameAs(arrayThere);
    }

    static Stream<Arguments> unsendable() {
        return Stream.of(
                Arguments.of("v", (Supplier<Object>) Socket::new),
                Arguments.of("v[1]", (Supplier<Object>) () -> List.of(1, new Object())),
                Arguments.of(
                        "v.a[0]",
                        (Supplier<Object>) () -> Map.of("a", List.of(Thread.currentThread()))),
                Arguments.of(
                        "v[\"my key\"]", (Supplier<Object>) () -> Map.of("my key", new Object())),
                Arguments.of(
                        "v.more[0]", (Supplier<Object>) () -> new Holder(List.of(new Object()))),
                Arguments.of("v", (Supplier<Object>) () -> (Runnable) () -> {}),
                Arguments.of("v", (Supplier<Object>) () -> String.class),
                Arguments.of("v", (Supplier<Object>) () -> new IllegalStateException("x")));
    }

    record Holder(List<Object> more) {}

    @ParameterizedTest
    @MethodSource("unsendable")
    void whatIsBoundToThisJvmIsRefusedByVariableAndPath(String path, Supplier<Object> value) {
        UnsendableException e =
                catchThrowableOfType(UnsendableException.class, () -> there(value.get()));
        assertThat(e.variable()).isEqualTo("v");
        assertThat(e.path()).isEqualTo(path);
        assertThat(e)
                .hasMessageStartingWith("variable 'v'")
                .hasMessageContaining(path)
                .hasMessageContaining(e.type())
                .hasMessageContaining("Vocabulary.reference");
    }

    @Test
    void whatIsNestedTooDeeplyIsRefused() {
        Object value = 1;
        for (int i = 0; i < 1_000; i++) {
            value = List.of(value);
        }
        Object deep = value;
        assertThat(catchThrowableOfType(UnsendableException.class, () -> there(deep)))
                .hasMessageContaining("up to 500 levels deep");
    }

    @Test
    void hostObjectsThatBothSidesHaveTravelByName() {
        Object model = new Object();
        Vocabulary vocabulary = Vocabulary.builder().reference("model", model).build();
        assertThat(there(List.of(model), vocabulary)).isEqualTo(List.of(model));
    }

    @Test
    void aNameThatRefersToNothingHereSaysWhatDoes() {
        Object model = new Object();
        byte[] bytes =
                envelope(model).toBytes(Vocabulary.builder().reference("model", model).build());
        Vocabulary other = Vocabulary.builder().reference("models", model).build();
        assertThat(catchThrowableOfType(EnvelopeException.class, () -> Envelope.read(bytes, other)))
                .hasMessageContaining("the name \"model\" refers to nothing here")
                .hasMessageContaining("known names: models");
    }

    /** A type that only the two sides know. */
    private record Money(String currency, long cents) {}

    @Test
    void typesOfTheHostTravelAsPlainValuesUnderAName() {
        Vocabulary vocabulary =
                Vocabulary.builder()
                        .type(
                                "money",
                                Money.class,
                                money -> List.of(money.currency(), money.cents()),
                                plain -> {
                                    List<?> parts = (List<?>) plain;
                                    return new Money((String) parts.get(0), (Long) parts.get(1));
                                })
                        .build();
        Money money = new Money("EUR", 1);
        List<?> out = (List<?>) there(List.of(money, money), vocabulary);
        assertThat(out.getFirst()).isEqualTo(money).isSameAs(out.getLast());
        byte[] bytes = envelope(money).toBytes(vocabulary);
        assertThat(catchThrowableOfType(EnvelopeException.class, () -> Envelope.read(bytes)))
                .hasMessageContaining("values of the type \"money\" are not known here");
    }

    @Test
    void aVocabularyHasNoNameTwiceAndNoneOfTheFormats() {
        Vocabulary.Builder builder = Vocabulary.builder().reference("a", new Object());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.reference("a", new Object()))
                .withMessageContaining("\"a\"");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.type("map", Money.class, it -> "", it -> null))
                .withMessageContaining("the format's own");
    }
}
