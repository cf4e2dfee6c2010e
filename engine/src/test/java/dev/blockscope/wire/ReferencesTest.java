package dev.blockscope.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.dataformat.cbor.CBORGenerator;
import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.Frame;
import dev.blockscope.Limits;
import dev.blockscope.StopSignal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A few bytes that refer to each other can come to more than any memory holds, and to what never
 * ends, for whoever makes something of them. Each is refused in an instant.
 */
@Timeout(20)
final class ReferencesTest {
    /** Twice as many for each. */
    private static final int DOUBLINGS = 80;

    @FunctionalInterface
    private interface Body {
        void write(CBORGenerator out) throws IOException;
    }

    /** Something that begins as an envelope does. */
    private static byte[] bytes(Body body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (CBORGenerator out = Cbor.FACTORY.createGenerator(bytes)) {
            out.writeStartObject();
            out.writeNumberField("blockscope", 1);
            body.write(out);
            out.writeEndObject();
        } catch (IOException e) {
            throw new AssertionError("memory takes any bytes", e);
        }
        return bytes.toByteArray();
    }

    private static void reference(CBORGenerator out, int number) throws IOException {
        out.writeTag(CborTags.REFERENCE);
        out.writeNumber(number);
    }

    /** Lists of which each has the one before twice; the last has the given number. */
    private static void doublings(CBORGenerator out) throws IOException {
        out.writeStartArray();
        out.writeTag(CborTags.SHARED);
        out.writeStartArray();
        out.writeEndArray();
        for (int i = 1; i <= DOUBLINGS; i++) {
            out.writeTag(CborTags.SHARED);
            out.writeStartArray();
            reference(out, i - 1);
            reference(out, i - 1);
            out.writeEndArray();
        }
        out.writeEndArray();
    }

    private static byte[] block(Body values) {
        return bytes(out -> {
            out.writeStringField("language", "js");
            out.writeFieldName("origin");
            out.writeStartArray();
            out.writeString("a.js");
            out.writeNumber(1);
            out.writeNumber(1);
            out.writeEndArray();
            out.writeFieldName("frame");
            out.writeStartArray();
            out.writeString("a.js");
            out.writeNumber(1);
            out.writeString("f");
            out.writeEndArray();
            out.writeStringField("text", "x");
            out.writeFieldName("values");
            out.writeStartObject();
            values.write(out);
            out.writeEndObject();
            out.writeFieldName("limits");
            out.writeStartObject();
            out.writeEndObject();
        });
    }

    /** The head of a failure of the host, up to what is behind it. */
    private static void failure(CBORGenerator out, int number) throws IOException {
        out.writeTag(CborTags.SHARED);
        out.writeStartObject();
        out.writeStringField("class", "a.B");
        out.writeStringField("text", "a.B: failure " + number);
    }

    private static byte[] failing(Body rest) {
        return bytes(out -> {
            out.writeFieldName("failure");
            failure(out, 0);
            rest.write(out);
            out.writeEndObject();
        });
    }

    private static void refuses(byte[] outcome, String message) {
        refuses(() -> Outcome.read(outcome, Vocabulary.EMPTY), message);
    }

    /** Refuses a block with some values. */
    private static void refuses(Body values, String message) {
        refuses(() -> Envelope.read(block(values)), message);
    }

    private static void refuses(ThrowingCallable reading, String message) {
        assertThatThrownBy(reading)
                .isInstanceOf(EnvelopeException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aFailureThatIsItsOwnCauseIsRefused() {
        byte[] outcome =
                failing(out -> {
                    out.writeFieldName("cause");
                    reference(out, 0);
                });
        refuses(outcome, "refer to each other, and come to more than its");
    }

    @Test
    void aTracebackThatIsItsOwnCauseIsRefused() {
        byte[] outcome =
                bytes(out -> {
                    out.writeFieldName("failure");
                    out.writeStartObject();
                    out.writeStringField("language", "js");
                    out.writeStringField("kind", "RUNTIME");
                    out.writeFieldName("bindings");
                    out.writeStartArray();
                    out.writeEndArray();
                    out.writeFieldName("traceback");
                    out.writeTag(CborTags.SHARED);
                    out.writeStartObject();
                    out.writeStringField("message", "m");
                    out.writeStringField("type", "t");
                    out.writeFieldName("entries");
                    out.writeStartArray();
                    out.writeEndArray();
                    out.writeFieldName("gap");
                    out.writeStartArray();
                    out.writeNumber(0);
                    out.writeNumber(0);
                    out.writeEndArray();
                    out.writeFieldName("suppressed");
                    out.writeStartArray();
                    reference(out, 0);
                    out.writeEndArray();
                    out.writeEndObject();
                    out.writeEndObject();
                });
        refuses(outcome, "refer to each other, and come to more than its");
    }

    @Test
    void failuresThatShareWhatIsBehindThemAreCountedAsOftenAsTheyDo() {
        byte[] outcome =
                failing(out -> {
                    out.writeFieldName("besides");
                    out.writeStartArray();
                    failure(out, 1);
                    out.writeEndObject();
                    for (int i = 2; i <= DOUBLINGS; i++) {
                        failure(out, i);
                        out.writeFieldName("besides");
                        out.writeStartArray();
                        reference(out, i - 1);
                        reference(out, i - 1);
                        out.writeEndArray();
                        out.writeEndObject();
                    }
                    out.writeEndArray();
                });
        refuses(outcome, "refer to each other, and come to more than its");
    }

    /** Beyond the depth of values, which are nested by references here and not by bytes. */
    @Test
    void aChainOfCausesIsNoDeeperThanValuesAre() {
        byte[] outcome =
                failing(out -> {
                    out.writeFieldName("besides");
                    out.writeStartArray();
                    failure(out, 1);
                    out.writeEndObject();
                    for (int i = 2; i <= 1000; i++) {
                        failure(out, i);
                        out.writeStringField("padding", "x".repeat(10_000));
                        out.writeFieldName("cause");
                        reference(out, i - 1);
                        out.writeEndObject();
                    }
                    out.writeEndArray();
                });
        refuses(outcome, "is nested more than 500 levels deep");
    }

    @Test
    void tracesThatAreOneAreCountedAsOftenAsTheyAreGiven() {
        byte[] outcome =
                bytes(out -> {
                    out.writeFieldName("traces");
                    out.writeStartArray();
                    out.writeTag(CborTags.SHARED);
                    out.writeStartObject();
                    out.writeNullField("result");
                    out.writeNullField("stopped");
                    out.writeFieldName("blocks");
                    out.writeStartArray();
                    for (int i = 0; i < 1000; i++) {
                        out.writeStartObject();
                        out.writeNullField("value");
                        out.writeFieldName("bindings");
                        out.writeStartObject();
                        out.writeEndObject();
                        out.writeEndObject();
                    }
                    out.writeEndArray();
                    out.writeEndObject();
                    for (int i = 0; i < 100; i++) {
                        reference(out, 0);
                    }
                    out.writeEndArray();
                });
        refuses(outcome, "refer to each other, and come to more than its");
    }

    @Test
    void aSetOfListsThatShareIsRefused() {
        refuses(
                out -> {
                    out.writeFieldName("x");
                    doublings(out);
                    out.writeFieldName("y");
                    out.writeTag(CborTags.SET);
                    out.writeStartArray();
                    reference(out, DOUBLINGS);
                    out.writeEndArray();
                },
                "sets hold values that refer to others more than");
    }

    @Test
    void aSetThatHoldsWhatHoldsItselfIsRefused() {
        refuses(
                out -> {
                    out.writeFieldName("y");
                    out.writeTag(CborTags.SHARED);
                    out.writeStartArray();
                    reference(out, 0);
                    out.writeTag(CborTags.SET);
                    out.writeStartArray();
                    reference(out, 0);
                    out.writeEndArray();
                    out.writeEndArray();
                },
                "a set holds a value that holds itself");
    }

    @Test
    void objectsThatAreMadeOfTheSameBytesTakeABoundedMultipleOfThem() {
        refuses(
                out -> {
                    out.writeFieldName("x");
                    out.writeTag(CborTags.SHARED);
                    out.writeBinary(new byte[1 << 20]);
                    out.writeFieldName("y");
                    out.writeStartArray();
                    for (int i = 0; i < 1000; i++) {
                        out.writeTag(CborTags.OBJECT);
                        out.writeStartArray();
                        out.writeString(CborTags.CHARS);
                        reference(out, 0);
                        out.writeEndArray();
                    }
                    out.writeEndArray();
                },
                "comes to more than 100 times the envelope");
    }

    @Test
    void aDescriptionThatRefersToItselfIsRefused() {
        byte[] outcome =
                bytes(out -> {
                    out.writeFieldName("bindings");
                    out.writeStartObject();
                    out.writeEndObject();
                    out.writeFieldName("value");
                    doublings(out);
                });
        Carrier carrier =
                new Carrier() {
                    @Override
                    public Carried carry(Job job, Receiver receiver) {
                        receiver.ended(1, outcome);
                        return () -> {};
                    }

                    @Override
                    public void close() {}
                };
        try (Dispatcher dispatcher = Dispatcher.over(carrier, Vocabulary.EMPTY).toModel("m")) {
            var described = RemoteComputation.of(dispatcher).describe(String::valueOf);
            assertThatThrownBy(described::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(DispatchException.class)
                    .hasMessageContaining("its parts refer to each other");
        }
    }

    /** What is told of a wrong value is not what is in it. */
    @Test
    void aValueThatIsWrongAndHasNoEndIsToldByItsKind() {
        byte[] line =
                bytes(out -> {
                    out.writeFieldName("progress");
                    out.writeStartArray();
                    doublings(out);
                    reference(out, DOUBLINGS);
                    out.writeEndArray();
                });
        refuses(() -> WireOutput.read(line), "is [a value of the type ArrayList, a value");
    }

    @Test
    void whatIsSharedTravelsAsBefore() {
        List<Object> leaf = List.of(1, 2);
        List<Object> twice = List.of(leaf, leaf);
        Map<String, Object> values =
                Map.of("x", List.of(twice, twice), "y", new LinkedHashSet<>(Set.of(twice)));
        try (BlockEngine engine = BlockEngine.create()) {
            Block block = engine.capture("[x, y]", Frame.of(values));
            byte[] bytes = Envelope.of(block).toBytes();
            assertThat(Envelope.read(bytes).values()).isEqualTo(values);

            String many =
                    "let e = new Error('0'); for (let i = 1; i < 60; i++) e = new Error(i, { cause: e });"
                            + "throw new AggregateError(Array(200).fill(e), 'all', { cause: e })";
            byte[] outcome =
                    new EnvelopeRunner(engine, Vocabulary.EMPTY, Limits.NONE)
                            .run(
                                    Envelope.of(engine.capture(many, Frame.empty())).toBytes(),
                                    new StopSignal(),
                                    line -> {});
            assertThat(new String(outcome, StandardCharsets.ISO_8859_1)).contains("failure");
            assertThat(Outcome.read(outcome, Vocabulary.EMPTY))
                    .isInstanceOfSatisfying(
                            Outcome.Failure.class,
                            it -> assertThat(it.exception()).isInstanceOf(BlockException.class));
        }
    }
}
