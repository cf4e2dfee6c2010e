package dev.blockscope.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.blockscope.samples.Timeline.Attempt;
import dev.blockscope.wire.RunEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineTest {
    private final Timeline timeline = new Timeline(3);

    @Test
    void countsWhatWaitsRunsIsDoneAndWasBegunAgain() {
        assertThat(timeline.counts()).isEqualTo(new Timeline.Counts(3, 0, 0, 0));
        timeline.heard(0, new RunEvent.Started("first", 1));
        timeline.heard(1, new RunEvent.Started("second", 1));
        assertThat(timeline.counts()).isEqualTo(new Timeline.Counts(1, 2, 0, 0));
        assertThat(timeline.isBusy("second")).isTrue();
        timeline.heard(1, new RunEvent.Lost("second", 1, "gone"));
        assertThat(timeline.counts()).isEqualTo(new Timeline.Counts(2, 1, 0, 0));
        assertThat(timeline.isBusy("second")).isFalse();
        timeline.heard(1, new RunEvent.Started("first", 2));
        timeline.ended(0);
        assertThat(timeline.counts()).isEqualTo(new Timeline.Counts(1, 1, 1, 1));
        timeline.ended(1);
        assertThat(timeline.attempts())
                .extracting(Attempt::job, Attempt::number, Attempt::worker, Attempt::lost)
                .containsExactly(
                        tuple(1, 1, "second", true),
                        tuple(0, 1, "first", false),
                        tuple(1, 2, "first", false));
    }

    @Test
    void attemptsOfASlotAreOneAfterTheOther() {
        Attempt a = new Attempt(0, 1, "first", 0, 2, false);
        Attempt beside = new Attempt(1, 1, "first", 1, 3, false);
        Attempt after = new Attempt(2, 1, "first", 2, 4, false);
        Attempt elsewhere = new Attempt(3, 1, "second", 3, 4, true);
        assertThat(TimelinePicture.lanes(List.of(elsewhere, after, beside, a), 3))
                .containsExactly(List.of(a, after), List.of(beside), List.of(elsewhere));
    }

    @Test
    void thereAreNoMoreThanAWorkerHasSlots() {
        Attempt a = new Attempt(0, 1, "first", 0, 2, false);
        Attempt heardEarly = new Attempt(1, 1, "first", 1.9, 3, false);
        assertThat(TimelinePicture.lanes(List.of(a, heardEarly), 1))
                .containsExactly(List.of(a, heardEarly));
    }
}
