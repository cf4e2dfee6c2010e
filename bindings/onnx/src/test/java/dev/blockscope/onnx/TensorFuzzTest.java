package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.primitives.Bytes;
import com.sun.management.ThreadMXBean;
import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.wire.Envelope;
import dev.blockscope.wire.EnvelopeException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Damaged envelopes with tensors of every element type, {@code fuzz.inputs} of them: each is
 * refused, or gives tensors whose bytes it has, within memory that its length bounds.
 */
final class TensorFuzzTest {
    private static final int INPUTS = Integer.getInteger("fuzz.inputs", 20_000);
    private static final long SEED = Long.getLong("fuzz.seed", 20_261_130L);

    /** Of the Java heap; what tensors have outside of it is counted by itself. */
    private static final long BYTES_FOR_EACH = 200;

    /** The CBOR library makes room for some 250,000 bytes before it sees whether they are there. */
    private static final long BYTES_AT_LEAST = 2_000_000;

    /** Begins bytes that come in several pieces. */
    private static final byte IN_CHUNKS = 0x5f;

    private final ThreadMXBean memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private BlockEngine engine;

    @BeforeEach
    void open() {
        engine = BlockEngine.create();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    @Test
    @Timeout(3600)
    void damagedTensorsAreRefusedOrAreAsLargeAsTheySay() {
        List<byte[]> envelopes = envelopes();
        envelopes.forEach(this::read);
        Random random = new Random(SEED);
        int read = 0;
        for (int i = 0; i < INPUTS; i++) {
            byte[] original = envelopes.get(random.nextInt(envelopes.size()));
            byte[] damaged = damaged(original, random);
            read += isRead(damaged, "input %d of seed %d".formatted(i, SEED)) ? 1 : 0;
        }
        // If all were refused, or none, the inputs would say nothing.
        assertThat(read).isBetween(INPUTS / 20, INPUTS * 19 / 20);
    }

    private boolean isRead(byte[] bytes, String story) {
        long before = memory.getCurrentThreadAllocatedBytes();
        boolean read = false;
        try {
            read(bytes);
            read = true;
        } catch (EnvelopeException e) {
            assertThat(e).as(story).message().isNotBlank();
        } catch (RuntimeException | Error e) {
            throw new AssertionError(story + ": " + HexFormat.of().formatHex(bytes), e);
        }
        assertThat(memory.getCurrentThreadAllocatedBytes() - before)
                .as("memory of " + story)
                .isLessThan(BYTES_AT_LEAST + BYTES_FOR_EACH * bytes.length);
        return read;
    }

    /** Reads an envelope, and all bytes of each tensor in it. */
    private void read(byte[] bytes) {
        Envelope envelope = Envelope.read(bytes, ModelVocabulary.TENSORS);
        for (Object value : envelope.values().values()) {
            List<?> all = value instanceof List<?> list ? list : Collections.singletonList(value);
            all.forEach(each -> requireFrom(bytes, each));
        }
    }

    /** A tensor has as many bytes as its shape says, and they stand in the envelope. */
    private static void requireFrom(byte[] envelope, Object value) {
        if (!(value instanceof Tensor tensor)) {
            return;
        }
        long elements = Arrays.stream(tensor.shape()).reduce(1, Math::multiplyExact);
        List<Object> form = TensorForm.of(tensor);
        byte[] held = (byte[]) form.get(2);
        assertThat(held).hasSize(Math.toIntExact(elements * tensor.dtype().bytes()));
        if (!Bytes.contains(envelope, IN_CHUNKS)) {
            assertThat(Bytes.indexOf(envelope, held)).isNotNegative();
        }
        List<Object> again = TensorForm.of(TensorForm.tensor(form));
        assertThat(Arrays.deepEquals(again.toArray(), form.toArray())).isTrue();
    }

    /** One with a tensor of each type that can be held, and one with all of them and their kin. */
    private List<byte[]> envelopes() {
        List<byte[]> envelopes = new ArrayList<>();
        List<Object> all = new ArrayList<>();
        for (DType type : DType.values()) {
            if (type.isHoldable()) {
                Tensor tensor =
                        Tensor.of(LongStream.range(0, 96).map(i -> i / 40 % 2).toArray(), 8, 12)
                                .to(type);
                envelopes.add(envelope(Map.of("x", tensor)));
                all.add(tensor);
            }
        }
        Tensor first = (Tensor) all.getFirst();
        all.addAll(List.of(first, first.transpose(0, 1), Tensor.zeros(first.dtype(), 3, 0)));
        envelopes.add(envelope(Map.of("x", all)));
        return envelopes;
    }

    private byte[] envelope(Map<String, Object> values) {
        Block block =
                engine.capture(
                        BlockSource.javaScript("x", "a.js"), Frame.of(new HashMap<>(values)));
        return Envelope.of(block).toBytes(ModelVocabulary.TENSORS);
    }

    /** Does up to three things to a copy of the bytes. */
    private static byte[] damaged(byte[] whole, Random random) {
        byte[] bytes = whole.clone();
        for (int i = random.nextInt(3); i >= 0 && bytes.length > 0; i--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(5)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) random.nextInt(256);
                case 2 -> bytes = Arrays.copyOf(bytes, at);
                case 3 -> bytes = doubled(bytes, at, random.nextInt(40));
                default -> promise(bytes, at, random);
            }
        }
        return bytes;
    }

    /** Has the bytes from a place on there twice. */
    private static byte[] doubled(byte[] bytes, int at, int atMost) {
        int length = Math.min(atMost, bytes.length - at);
        byte[] longer = Arrays.copyOf(bytes, bytes.length + length);
        System.arraycopy(bytes, at, longer, at + length, bytes.length - at);
        return longer;
    }

    /** A number of four bytes, which may be a length or a size, in the middle of anything. */
    private static void promise(byte[] bytes, int at, Random random) {
        bytes[at] = (byte) (random.nextInt(8) << 5 | 26);
        for (int b = at + 1; b < Math.min(at + 5, bytes.length); b++) {
            bytes[b] = (byte) random.nextInt(256);
        }
    }
}
