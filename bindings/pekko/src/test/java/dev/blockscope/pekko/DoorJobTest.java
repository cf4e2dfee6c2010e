package dev.blockscope.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What an author hears of a job, in its order. */
@Timeout(30)
final class DoorJobTest {
    private final DoorJob job = new DoorJob();

    private List<DoorEvent> written() throws IOException, InterruptedException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        job.writeTo(out);
        List<DoorEvent> events = new ArrayList<>();
        try (var each =
                DoorEvent.MAPPER
                        .readerFor(DoorEvent.class)
                        .<DoorEvent>readValues(out.toByteArray())) {
            while (each.hasNextValue()) {
                events.add(each.nextValue());
            }
        }
        return events;
    }

    @Test
    void whatHappensIsToldInItsOrderToTheEnd() throws Exception {
        job.started("first", 1);
        job.said(1, new byte[] {7});
        job.lost("first", 1, "no beat");
        job.started("second", 2);
        job.ended(2, new byte[] {8});
        assertThat(written())
                .extracting(DoorEvent::event)
                .containsExactly("started", "said", "lost", "started", "ended");
    }

    @Test
    void linesThatASlowAuthorDoesNotGetAreToldByTheirNumber() throws Exception {
        job.started("first", 1);
        for (int i = 0; i < 10_005; i++) {
            job.said(1, LineBufferTest.line(i, Integer.BYTES));
        }
        job.ended(1, new byte[] {8});
        List<DoorEvent> events = written();
        assertThat(events).hasSize(10_003);
        assertThat(events.getFirst().event()).isEqualTo("started");
        assertThat(events.get(1).bytes()).isEqualTo(LineBuffer.droppedLines(5));
        assertThat(events.get(2).bytes()).isEqualTo(LineBufferTest.line(5, Integer.BYTES));
        assertThat(events.getLast().event()).isEqualTo("ended");
    }

    @Test
    void ofLongLinesNoMoreBytesAreKept() throws Exception {
        for (int i = 0; i < 20; i++) {
            job.said(1, LineBufferTest.line(i, Parcel.LARGEST));
        }
        job.ended(1, new byte[] {8});
        List<DoorEvent> events = written();
        assertThat(events).hasSize(18);
        assertThat(events.getFirst().bytes()).isEqualTo(LineBuffer.droppedLines(4));
        assertThat(events.get(1).bytes()).isEqualTo(LineBufferTest.line(4, Parcel.LARGEST));
    }
}
