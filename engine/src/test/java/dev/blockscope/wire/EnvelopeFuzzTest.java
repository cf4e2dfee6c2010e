package dev.blockscope.wire;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.FrameCode;
import dev.blockscope.FunctionSource;
import dev.blockscope.Globals;
import dev.blockscope.HostPart;
import dev.blockscope.Limits;
import dev.blockscope.OutputLine;
import dev.blockscope.StopSignal;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Envelopes, outcomes and lines with bytes that were flipped, cut, doubled and put elsewhere: each
 * is read or refused, within memory that its length bounds. {@code -Dfuzz.inputs} says how many,
 * {@code -Dfuzz.seed} which.
 */
@Timeout(600)
final class EnvelopeFuzzTest {
    private static final int INPUTS = Integer.getInteger("fuzz.inputs", 20_000);
    private static final long SEED = Long.getLong("fuzz.seed", 20_261_130);

    /** A map of one byte takes some sixty of memory. */
    private static final long BYTES_FOR_EACH = 200;

    /** The CBOR library makes room for some 250,000 bytes before it sees whether they are there. */
    private static final long BYTES_AT_LEAST = 2_000_000;

    private static final com.sun.management.ThreadMXBean THREADS =
            (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    private static final Layers MODEL = new Layers(null);

    /** Values by a name of the vocabulary: references, parts of them, and what a tensor is like. */
    private static final Vocabulary KNOWN =
            Vocabulary.builder()
                    .reference("model", MODEL)
                    .type("grid", Grid.class, Grid::plain, Grid::of)
                    .build();

    /** A host object with three parts. */
    private record Layers(@Nullable Integer layer) implements HostPart {
        @Override
        public Object whole() {
            return MODEL;
        }

        @Override
        public Object place() {
            return requireNonNull(layer);
        }

        @Override
        public Layers partAt(Object there) {
            if (there instanceof Integer number && number >= 0 && number < 3) {
                return new Layers(number);
            }
            throw new IllegalArgumentException("there is no layer " + there);
        }
    }

    /** A host value of some sizes and as many bytes. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Grid(List<?> sizes, byte[] bytes) {
        List<Object> plain() {
            return List.of(sizes, bytes);
        }

        static Grid of(@Nullable Object plain) {
            if (plain instanceof List<?> row
                    && row.size() == 2
                    && row.get(0) instanceof List<?> sizes
                    && row.get(1) instanceof byte[] bytes) {
                long size = 1;
                for (Object each : sizes) {
                    size = Math.multiplyExact(size, ((Number) each).longValue());
                }
                checkArgument(size == bytes.length, "%s bytes for %s", bytes.length, sizes);
                return new Grid(sizes, bytes);
            }
            throw new IllegalArgumentException("a grid is its sizes and its bytes");
        }
    }

    private static List<byte[]> envelopes() {
        Map<String, Object> values = new LinkedHashMap<>();
        List<Object> shared = new ArrayList<>(List.of(1, "two", 3L));
        shared.add(shared);
        values.put("shared", List.of(shared, shared, Set.of(1, 2)));
        values.put("numbers", List.of(1.5, 2.5f, BigInteger.TWO.pow(90), new BigDecimal("1.25")));
        values.put("times", List.of(Instant.EPOCH, Duration.ofDays(1)));
        values.put(
                "arrays", List.of(new byte[40], new float[20], new Object[] {1, 2}, new long[3]));
        values.put("map", Map.of(1, "one", "two", Map.of("three", Map.of())));
        Map<String, Object> variables = new LinkedHashMap<>();
        FunctionSource function =
                new FunctionSource(BlockSource.javaScript("(x => f(n))", "f.js"), variables);
        variables.putAll(Map.of("n", 1, "f", function));
        values.put("functions", List.of(function, function));
        Limits limits = Limits.builder().time(Duration.ofSeconds(1)).build();
        Map<String, Object> known = new LinkedHashMap<>();
        known.put("whole", MODEL);
        known.put("parts", List.of(MODEL.partAt(0), MODEL.partAt(2)));
        known.put("grids", List.of(new Grid(List.of(2, 3), new byte[6]), MODEL));
        return List.of(
                envelope("x", Map.of("x", 1), Limits.NONE),
                envelope("total = price * quantity", values, limits),
                envelope("parts[0] = grids[0]", known, limits),
                envelope("half \ud83d", Map.of("x", "half \ud83d"), limits));
    }

    private static byte[] envelope(String text, Map<String, Object> values, Limits limits) {
        return new Envelope(
                        BlockSource.javaScript(text, "a.js"),
                        new FrameCode("a.js", 1, "f"),
                        values,
                        limits)
                .toBytes(KNOWN);
    }

    /** What blocks come to: results, and failures with all they may have. */
    private static List<byte[]> outcomes() {
        return List.of(
                outcome("kept = { a: [1, 'two', new Date(0)] }; kept"),
                outcome("let a = 1\nfunction f(n) { return n == 0 ? boom() : f(n - 1) }\nf(9)"),
                outcome(
                        "throw new AggregateError([new Error('one'), 7], 'many', { cause: 'why' })"),
                outcome("try { host() } catch (e) { throw new Error('m', { cause: e }) }"),
                outcome("for (;;);"),
                traced(),
                Outcome.refusal("the worker is of another version"));
    }

    /** Traces of several blocks, with what they share. */
    private static List<byte[]> jobs() {
        try (BlockEngine engine = BlockEngine.create()) {
            return List.of(
                    job(engine, "kept = x"),
                    job(engine, "y = other.length; f(x)"),
                    RemoteDescription.toBytes("pricing"),
                    RemoteDescription.toBytes("a model ".repeat(9)));
        }
    }

    private static byte[] job(BlockEngine engine, String text) {
        List<Object> shared = new ArrayList<>(List.of(1, "two"));
        Map<String, Object> locals = new LinkedHashMap<>(Map.of("x", shared, "other", shared));
        Frame frame = Frame.of(locals, Globals.of(Map.of("rate", 1.5)));
        engine.capture("function f(n) { return n * 2 }", frame).evaluate();
        Block first = engine.capture(text, frame);
        Block second = engine.capture("z = x.concat(rate)", frame);
        return TraceJob.of(
                        "pricing",
                        List.of(
                                TraceRequest.of(Map.of("net", 7), first, second),
                                new TraceRequest(
                                        null,
                                        List.of(new TraceRequest.Invoke(second, List.of(1, 2L))),
                                        true)))
                .toBytes(Vocabulary.EMPTY);
    }

    private static byte[] traced() {
        try (BlockEngine engine = BlockEngine.create()) {
            Block block = engine.capture("kept = { a: [1, 'two'] }; 7", Frame.empty());
            Traced<Object> traced =
                    new Traced<>(List.of(1.5), List.of(block.evaluate()), Optional.of("a.js:1"));
            TraceRequest request = TraceRequest.of(1, block);
            return TraceOutcome.write(
                    List.of(
                            new TraceOutcome.Ended(request, traced),
                            new TraceOutcome.Ended(
                                    new TraceRequest(1, request.invokes(), true), traced)),
                    Vocabulary.EMPTY);
        }
    }

    private static byte[] outcome(String text) {
        Runnable host =
                () -> {
                    throw new IllegalStateException("late", new IOException("no disk"));
                };
        Vocabulary vocabulary = Vocabulary.builder().reference("host", host).build();
        Limits limits = Limits.builder().statements(1000).build();
        try (BlockEngine engine = BlockEngine.create()) {
            Block block = engine.capture(text, Frame.of(Map.of("host", host)));
            return new EnvelopeRunner(engine, vocabulary, limits)
                    .run(Envelope.of(block).toBytes(vocabulary), new StopSignal(), line -> {});
        }
    }

    private static List<byte[]> lines() {
        return List.of(
                line(0, new OutputLine(OutputLine.Level.WARN, "late", "rules.js", 7)),
                line(0, new OutputLine(OutputLine.Level.INFO, "half \ud83d", "", 0)),
                line(3, new OutputLine(OutputLine.Level.ERROR, "of", "b", 1)),
                new WireOutput(1, new WireOutput.Progress(3, 10)).toBytes());
    }

    private static byte[] line(int block, OutputLine line) {
        return new WireOutput(block, new WireOutput.Line(line)).toBytes();
    }

    static Stream<Arguments> readers() {
        return Stream.of(
                arguments(
                        "envelopes",
                        envelopes(),
                        (Consumer<byte[]>) it -> Envelope.read(it, KNOWN)),
                arguments("jobs", jobs(), (Consumer<byte[]>) EnvelopeFuzzTest::readJob),
                arguments(
                        "outcomes",
                        outcomes(),
                        (Consumer<byte[]>) it -> Outcome.read(it, Vocabulary.EMPTY)),
                arguments("lines", lines(), (Consumer<byte[]>) WireOutput::read));
    }

    /** As a runner does before it runs anything. */
    private static void readJob(byte[] bytes) {
        Parts parts = EnvelopeFormat.parts(bytes, KNOWN, EnvelopeRunner.JOBS);
        if (parts.has(RemoteDescription.PART)) {
            assertThat(parts.only(Set.of(RemoteDescription.PART)).text(RemoteDescription.PART))
                    .isNotNull();
        } else {
            TraceJob.of(parts.only(TraceJob.NAMES));
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("readers")
    void everyInputIsReadOrRefusedInBoundedMemory(
            String what, List<byte[]> originals, Consumer<byte[]> reader) {
        Random random = new Random(SEED);
        // What classes take when they are loaded is no input's.
        originals.forEach(reader);
        int read = 0;
        int refused = 0;
        for (int i = 0; i < INPUTS; i++) {
            byte[] input = mutated(originals.get(random.nextInt(originals.size())), random);
            long before = THREADS.getCurrentThreadAllocatedBytes();
            try {
                reader.accept(input);
                read++;
            } catch (EnvelopeException e) {
                assertThat(e).message().isNotBlank();
                refused++;
            } catch (Throwable e) {
                throw new AssertionError(
                        "input %d of seed %d: %s".formatted(i, SEED, Arrays.toString(input)), e);
            }
            long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            assertThat(allocated)
                    .as("bytes for input %d of seed %d, which has %d", i, SEED, input.length)
                    .isLessThan(BYTES_AT_LEAST + BYTES_FOR_EACH * input.length);
        }
        // If all were refused, or none, the inputs would say nothing.
        assertThat(read).isGreaterThan(INPUTS / 100);
        assertThat(refused).isGreaterThan(INPUTS / 3);
    }

    private static byte[] mutated(byte[] original, Random random) {
        byte[] bytes = original.clone();
        int changes = 1 + random.nextInt(3);
        for (int i = 0; i < changes && bytes.length > 0; i++) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(5)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt(256);
                case 2 -> bytes = Arrays.copyOf(bytes, at);
                case 3 -> bytes = spliced(bytes, at, random);
                // A length of four bytes in the middle of anything.
                default -> {
                    bytes[at] = (byte) (random.nextInt(8) << 5 | 26);
                    for (int b = at + 1; b < Math.min(at + 5, bytes.length); b++) {
                        bytes[b] = (byte) random.nextInt(256);
                    }
                }
            }
        }
        return bytes;
    }

    /** Puts a piece of the bytes at another place. */
    private static byte[] spliced(byte[] bytes, int at, Random random) {
        int from = random.nextInt(bytes.length);
        int length = Math.min(random.nextInt(40), bytes.length - from);
        byte[] longer = new byte[bytes.length + length];
        System.arraycopy(bytes, 0, longer, 0, at);
        System.arraycopy(bytes, from, longer, at, length);
        System.arraycopy(bytes, at, longer, at + length, bytes.length - at);
        return longer;
    }

    @Test
    void absurdLengthsAndDepthsAreRefused() {
        byte[] prefix = envelope("x", Map.of(), Limits.NONE);
        for (int type = 2; type <= 5; type++) {
            byte[] absurd = Arrays.copyOf(prefix, prefix.length + 16);
            // In place of the last part's value: a head that promises 2^62 bytes or values.
            int at = prefix.length - 2;
            absurd[at] = (byte) (type << 5 | 27);
            absurd[at + 1] = 0x40;
            assertThat(refusal(absurd)).isNotNull();
        }
        byte[] deep = new byte[100_000];
        System.arraycopy(prefix, 0, deep, 0, prefix.length - 2);
        Arrays.fill(deep, prefix.length - 2, deep.length, (byte) 0x81);
        assertThat(refusal(deep)).isNotNull();
    }

    private static EnvelopeException refusal(byte[] bytes) {
        try {
            Envelope.read(bytes);
            return null;
        } catch (EnvelopeException e) {
            return e;
        }
    }
}
