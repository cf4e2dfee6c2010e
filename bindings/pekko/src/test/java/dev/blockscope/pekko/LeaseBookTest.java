package dev.blockscope.pekko;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.wire.Carrier;
import dev.blockscope.wire.DispatchException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who gets what when, told by hand and without a clock. */
final class LeaseBookTest {
    private static final byte[] OUTCOME = {1};
    private static final long SECOND = 1_000_000_000L;

    private final List<String> told = new ArrayList<>();
    private final LeaseBook<String> book =
            new LeaseBook<>(
                    Terms.DEFAULT
                            .leases(Duration.ofSeconds(1), Duration.ofSeconds(5))
                            .queues(4, 3)
                            .largest(100));

    private LeasedJob job(String id, String author, String model, boolean repeatable) {
        return new LeasedJob(
                id,
                author,
                new Carrier.Job(new byte[10], model, repeatable),
                new Telling(id),
                Runnable::run);
    }

    private LeasedJob added(String id, String author) {
        LeasedJob job = job(id, author, "", true);
        book.add(job);
        return job;
    }

    private final class Telling implements Carrier.Receiver {
        private final String id;

        Telling(String id) {
            this.id = id;
        }

        @Override
        public void started(String worker, int attempt) {
            told.add("%s started on %s, %d".formatted(id, worker, attempt));
        }

        @Override
        public void said(int attempt, byte[] line) {
            told.add("%s said".formatted(id));
        }

        @Override
        public void lost(String worker, int attempt, String reason) {
            told.add("%s lost on %s, %d: %s".formatted(id, worker, attempt, reason));
        }

        @Override
        public void ended(int attempt, byte[] outcome) {
            told.add("%s ended, %d".formatted(id, attempt));
        }

        @Override
        public void failed(DispatchException reason) {
            told.add("%s failed: %s".formatted(id, reason.kind()));
        }
    }

    /** Grants all that can be granted, and returns which slot has which job. */
    private List<String> granted(long now) {
        return book.grants(now).stream()
                .map(grant -> grant.slot() + ":" + grant.job().id())
                .toList();
    }

    @Test
    void aSlotGetsOneJobAtATime() {
        book.hello("s1", "w", List.of());
        added("a", "ann");
        added("b", "ann");
        assertThat(granted(0)).containsExactly("s1:a");
        assertThat(granted(0)).isEmpty();
        book.done("s1", "a", 1, OUTCOME);
        assertThat(granted(0)).containsExactly("s1:b");
        assertThat(told).containsExactly("a started on w, 1", "a ended, 1", "b started on w, 1");
    }

    @Test
    void authorsTakeTurns() {
        added("a1", "ann");
        added("a2", "ann");
        added("a3", "ann");
        added("b1", "bob");
        List<String> order = new ArrayList<>();
        for (String slot : List.of("s1", "s2", "s3", "s4")) {
            book.hello(slot, "w", List.of());
            order.addAll(granted(0));
        }
        assertThat(order).containsExactly("s1:a1", "s2:b1", "s3:a2", "s4:a3");
    }

    @Test
    void aQueueThatIsFullSaysItsNumbers() {
        added("a1", "ann");
        added("a2", "ann");
        added("a3", "ann");
        assertThatThrownBy(() -> added("a4", "ann"))
                .isInstanceOfSatisfying(
                        DispatchException.class,
                        e -> assertThat(e.kind()).isEqualTo(DispatchException.Kind.FULL))
                .hasMessageStartingWith(
                        "3 blocks wait for a slot, 3 of them yours, and no more than 4 may wait, 3 of them yours");
        added("b1", "bob");
        assertThatThrownBy(() -> added("b2", "bob"))
                .hasMessageStartingWith("4 blocks wait for a slot, 1 of them yours");
    }

    @Test
    void aModelsJobsGoToSlotsThatHaveIt() {
        book.hello("s1", "w1", List.of());
        book.hello("s2", "w2", List.of("minilm"));
        book.add(job("a", "ann", "minilm", true));
        assertThat(granted(0)).containsExactly("s2:a");
        assertThatThrownBy(() -> book.add(job("b", "ann", "minilmm", true)))
                .hasMessageContaining("the nearest of 1 names are [minilm]");
        // It may come back.
        book.gone("s2");
        book.add(job("c", "ann", "minilm", true));
    }

    @Test
    void whatIsLargerThanIsSentIsRefusedWithBothNumbers() {
        Carrier.Job large = new Carrier.Job(new byte[101], "", true);
        assertThatThrownBy(() ->
                        book.add(new LeasedJob("a", "ann", large, new Telling("a"), Runnable::run)))
                .hasMessage(
                        "the block is 101 bytes with the values that it reads, and no more than 100 are sent");
    }

    @Test
    void aLeaseHoldsWhileThereAreBeatsAndThenTheJobComesFirst() {
        book.hello("s1", "w1", List.of());
        added("a", "ann");
        added("b", "ann");
        granted(0);
        book.expire(5 * SECOND);
        assertThat(book.beat("s1", "a", 1, 5 * SECOND)).isTrue();
        book.expire(10 * SECOND);
        assertThat(book.state().retried()).isZero();
        book.expire(10 * SECOND + 1);
        assertThat(book.state().retried()).isEqualTo(1);
        assertThat(granted(11 * SECOND)).as("the slot has not spoken since").isEmpty();
        book.hello("s2", "w2", List.of());
        assertThat(granted(11 * SECOND)).containsExactly("s2:a");
        assertThat(told)
                .containsExactly(
                        "a started on w1, 1",
                        "a lost on w1, 1: no beat for 5000 ms",
                        "a started on w2, 2");
    }

    @Test
    void theFirstOutcomeCountsWhoeverHasIt() {
        book.hello("s1", "w1", List.of());
        book.hello("s2", "w2", List.of());
        added("a", "ann");
        granted(0);
        book.expire(6 * SECOND);
        granted(6 * SECOND);
        assertThat(book.beat("s1", "a", 1, 7 * SECOND)).as("may be the first").isTrue();
        LeaseBook.Stop<String> other = book.done("s1", "a", 1, OUTCOME);
        assertThat(other).isEqualTo(new LeaseBook.Stop<>("s2", "a", 2));
        assertThat(book.beat("s2", "a", 2, 8 * SECOND)).isFalse();
        assertThat(book.done("s2", "a", 2, OUTCOME)).isNull();
        assertThat(book.state().done()).isEqualTo(1);
        assertThat(book.state().late()).isEqualTo(1);
        added("b", "ann");
        added("c", "ann");
        assertThat(granted(9 * SECOND)).containsExactly("s1:b", "s2:c");
    }

    @Test
    void aJobThatWasPutBackIsNotBegunAgainOnceItHasEnded() {
        book.hello("s1", "w1", List.of());
        added("a", "ann");
        granted(0);
        book.expire(6 * SECOND);
        book.done("s1", "a", 1, OUTCOME);
        assertThat(granted(7 * SECOND)).isEmpty();
        assertThat(book.state().waiting()).containsEntry("", 0);
    }

    @Test
    void attemptsAreBoundedAndListed() {
        LeasedJob job = added("a", "ann");
        for (int i = 1; i <= 3; i++) {
            book.hello("s" + i, "w" + i, List.of());
            assertThat(granted(0)).containsExactly("s" + i + ":a");
            book.gone("s" + i);
        }
        assertThat(told).endsWith("a lost on w3, 3: the worker has gone", "a failed: LOST");
        assertThat(job.lost)
                .extracting(DispatchException.Attempt::worker)
                .containsExactly("w1", "w2", "w3");
    }

    @Test
    void aJobThatMayNotBeRepeatedIsNot() {
        book.hello("s1", "w1", List.of());
        book.hello("s2", "w2", List.of());
        book.add(job("a", "ann", "", false));
        granted(0);
        book.gone("s1");
        assertThat(told).endsWith("a failed: OUTCOME_UNKNOWN");
        assertThat(granted(0)).isEmpty();
    }

    @Test
    void aSlotThatLeavesGetsNoMoreAndWhatItDeclinedDoesNotCount() {
        book.hello("s1", "w1", List.of());
        LeasedJob job = added("a", "ann");
        granted(0);
        book.declined("s1", "a", 1);
        assertThat(job.attempts).isZero();
        assertThat(granted(0)).isEmpty();
        book.hello("s2", "w2", List.of());
        book.bye("s2");
        assertThat(granted(0)).isEmpty();
        book.hello("s3", "w3", List.of());
        assertThat(granted(0)).containsExactly("s3:a");
    }

    @Test
    void aCancelledJobIsTakenFromItsQueueOrItsSlot() {
        LeasedJob waiting = added("a", "ann");
        assertThat(book.cancel(waiting)).isNull();
        book.hello("s1", "w1", List.of());
        assertThat(granted(0)).isEmpty();
        LeasedJob running = added("b", "ann");
        granted(0);
        assertThat(book.cancel(running)).isEqualTo(new LeaseBook.Stop<>("s1", "b", 1));
        assertThat(book.cancel(running)).isNull();
        book.done("s1", "b", 1, OUTCOME);
        assertThat(book.state().done()).isZero();
        assertThat(book.state().late()).isEqualTo(1);
    }

    @Test
    void aBookThatIsClosedTellsAllOfItsJobs() {
        book.hello("s1", "w1", List.of());
        added("a", "ann");
        granted(0);
        added("b", "ann");
        book.close();
        assertThat(told).contains("a failed: CLOSED", "b failed: CLOSED");
        assertThatThrownBy(() -> added("c", "ann")).hasMessageContaining("the gateway is closed");
    }

    @Test
    void theOtherSlotsOfAWorkerThatIsLostGetNothingBeforeItSpeaks() {
        book.hello("s1", "w", List.of());
        book.hello("s2", "w", List.of());
        added("a", "ann");
        assertThat(granted(0)).containsExactly("s1:a");
        book.expire(6 * SECOND);
        assertThat(granted(6 * SECOND)).isEmpty();
        book.hello("s3", "v", List.of());
        assertThat(granted(6 * SECOND)).containsExactly("s3:a");
        added("b", "ann");
        assertThat(granted(6 * SECOND)).isEmpty();
        assertThat(book.beat("s1", "a", 1, 7 * SECOND)).isTrue();
        assertThat(granted(7 * SECOND)).containsExactly("s2:b");
    }

    @Test
    void aJobIsNotBegunOnTheSlotsOfAWorkerThatGoesOneAfterTheOther() {
        book.hello("s1", "w", List.of());
        book.hello("s2", "w", List.of());
        book.hello("s3", "w", List.of());
        added("a", "ann");
        assertThat(granted(0)).containsExactly("s1:a");
        for (String slot : List.of("s1", "s2", "s3")) {
            book.gone(slot);
            assertThat(granted(0)).isEmpty();
        }
        book.hello("s4", "v", List.of());
        assertThat(granted(0)).containsExactly("s4:a");
        assertThat(told)
                .containsExactly(
                        "a started on w, 1",
                        "a lost on w, 1: the worker has gone",
                        "a started on v, 2");
    }
}
