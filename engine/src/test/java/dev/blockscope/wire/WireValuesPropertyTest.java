package dev.blockscope.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blockscope.BlockSource;
import dev.blockscope.FrameCode;
import dev.blockscope.Limits;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What comes out of an envelope equals what went in, whatever it is made of. */
final class WireValuesPropertyTest {
    @Provide
    Arbitrary<Object> values() {
        Arbitrary<Object> scalars =
                Arbitraries.oneOf(
                        Arbitraries.integers().asGeneric(),
                        Arbitraries.longs().asGeneric(),
                        Arbitraries.doubles().asGeneric(),
                        Arbitraries.floats().asGeneric(),
                        Arbitraries.bigIntegers().asGeneric(),
                        Arbitraries.bigDecimals().asGeneric(),
                        Arbitraries.strings().ofMaxLength(20).asGeneric(),
                        Arbitraries.of(true, false).asGeneric());
        return Arbitraries.recursive(() -> scalars, WireValuesPropertyTest::inContainers, 0, 4);
    }

    private static Arbitrary<Object> inContainers(Arbitrary<Object> inner) {
        return Arbitraries.oneOf(
                inner.list().ofMaxSize(4).asGeneric(),
                inner.set().ofMaxSize(3).asGeneric(),
                Arbitraries.maps(Arbitraries.strings().ofMaxLength(5), inner)
                        .ofMaxSize(4)
                        .asGeneric(),
                Arbitraries.maps(Arbitraries.integers(), inner).ofMaxSize(3).asGeneric());
    }

    @Property(tries = 500)
    void comesOutEqual(@ForAll("values") Object value) {
        Map<String, Object> values = Collections.singletonMap("v", List.of(value, value));
        Envelope envelope =
                new Envelope(
                        BlockSource.javaScript("v", "a.js"),
                        new FrameCode("a.js", 1, ""),
                        values,
                        Limits.NONE);
        assertThat(Envelope.read(envelope.toBytes())).isEqualTo(envelope);
    }
}
