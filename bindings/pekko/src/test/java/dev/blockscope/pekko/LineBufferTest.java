package dev.blockscope.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a slot keeps of what a block says faster than it is heard. */
final class LineBufferTest {
    private final LineBuffer buffer = new LineBuffer();

    /** So many bytes that begin with a number. */
    static byte[] line(int number, int size) {
        return ByteBuffer.allocate(size).putInt(number).array();
    }

    private List<byte[]> takeAll() {
        List<byte[]> all = new ArrayList<>();
        for (LineBuffer.Batch batch = buffer.take(); !batch.isEmpty(); batch = buffer.take()) {
            all.addAll(batch.lines());
        }
        return all;
    }

    @Test
    void theOldestOfTooManyLinesAreDroppedAndCounted() {
        for (int i = 0; i < 10_005; i++) {
            buffer.add(line(i, Integer.BYTES));
        }
        LineBuffer.Batch first = buffer.take();
        assertThat(first.dropped()).isEqualTo(5);
        assertThat(first.lines()).hasSize(10_000);
        assertThat(first.lines().getFirst()).isEqualTo(line(5, Integer.BYTES));
        assertThat(buffer.take().isEmpty()).isTrue();
    }

    @Test
    void theOldestOfTooManyBytesAreDroppedAndCounted() {
        for (int i = 0; i < 20; i++) {
            buffer.add(line(i, Parcel.LARGEST));
        }
        LineBuffer.Batch first = buffer.take();
        assertThat(first.dropped()).isEqualTo(4);
        assertThat(first.lines()).containsExactly(line(4, Parcel.LARGEST));
        assertThat(takeAll()).hasSize(15).endsWith(line(19, Parcel.LARGEST));
    }

    @Test
    void whatWasTakenMakesRoomForOthers() {
        for (int i = 0; i < 100; i++) {
            buffer.add(line(i, Parcel.LARGEST));
            LineBuffer.Batch taken = buffer.take();
            assertThat(taken.dropped()).isZero();
            assertThat(taken.lines()).containsExactly(line(i, Parcel.LARGEST));
        }
    }

    @Test
    void aLineThatIsLongerThanAMessageIsDropped() {
        assertThat(buffer.add(line(1, Parcel.LARGEST + 1))).isTrue();
        assertThat(buffer.add(line(2, Integer.BYTES))).isFalse();
        LineBuffer.Batch batch = buffer.take();
        assertThat(batch.dropped()).isEqualTo(1);
        assertThat(batch.lines()).containsExactly(line(2, Integer.BYTES));
    }
}
