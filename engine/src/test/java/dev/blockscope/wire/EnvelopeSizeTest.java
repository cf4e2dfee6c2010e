package dev.blockscope.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is written is counted before, without a look at what is in arrays. */
class EnvelopeSizeTest {
    @ParameterizedTest
    @MethodSource("values")
    void isThatOfTheBytes(Object value) {
        EnvelopeFormat.Body body = bodyOf(value);

        assertThat(EnvelopeFormat.write(Vocabulary.EMPTY, 2, body))
                .hasSize((int) EnvelopeFormat.measure(Vocabulary.EMPTY, 2, body));
    }

    static Stream<Object> values() {
        return Stream.of(
                "",
                "text with ä, 😀 and half a pair \ud83d",
                1L << 40,
                new BigDecimal("1.50"),
                Instant.EPOCH,
                Map.of("a", List.of(1, 2.5, true)),
                new byte[70_000],
                new boolean[3],
                new char[] {'a', '\ud800'},
                new short[0],
                new int[1],
                new long[8_191],
                new float[1 << 18],
                new double[2_001],
                List.of(new float[10_000], "between", new double[10_000]));
    }

    @Test
    void mayTurnOutToBeAnother() {
        List<@Nullable Object> growing = new ArrayList<>(List.of(1));
        EnvelopeFormat.Body body =
                (out, values) -> {
                    bodyOf(List.copyOf(growing)).write(out, values);
                    growing.add(growing.size());
                };

        byte[] bytes = EnvelopeFormat.write(Vocabulary.EMPTY, 2, body);

        assertThat(growing).hasSize(3);
        assertThat(bytes)
                .isEqualTo(EnvelopeFormat.write(Vocabulary.EMPTY, 2, bodyOf(Arrays.asList(1, 1))));
    }

    @Test
    void isToldIfItIsTooLarge() {
        EnvelopeFormat.Body body =
                (out, values) -> {
                    out.writeFieldName("value");
                    out.writeStartArray(this, 3);
                    for (int i = 0; i < 3; i++) {
                        out.writeBinary(new UnreadBytes(1 << 30), 1 << 30);
                    }
                    out.writeEndArray();
                };

        assertThatThrownBy(() -> EnvelopeFormat.write(Vocabulary.EMPTY, 2, body))
                .isInstanceOf(EnvelopeException.class)
                .hasMessageMatching(
                        "what is to travel has 3221225[45]\\d\\d bytes, and an envelope takes up to 2147483639; send it in parts");
    }

    private static EnvelopeFormat.Body bodyOf(Object value) {
        return (out, values) -> {
            out.writeFieldName("value");
            values.write(value, ValuePath.of("value"));
        };
    }
}
