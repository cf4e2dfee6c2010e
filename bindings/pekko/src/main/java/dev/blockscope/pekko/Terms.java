package dev.blockscope.pekko;

import static com.google.common.base.Preconditions.checkArgument;

import java.time.Duration;

/**
 * On what terms a gateway takes blocks and gives them to slots.
 *
 * @param beat how often a slot says that it still runs a block
 * @param lease after how long without a beat a block is taken for lost
 * @param attempts how often a block is begun at most
 * @param waiting how many blocks wait for one model at most
 * @param share how many of them one author has at most
 * @param largest how many bytes a block or its outcome has at most
 * @since 0.1
 */
public record Terms(
        Duration beat, Duration lease, int attempts, int waiting, int share, int largest) {
    /**
     * A beat each second, leases of 5 seconds, 3 attempts, 10,000 blocks that wait and 5,000 of
     * each author, 256 MiB.
     */
    public static final Terms DEFAULT =
            new Terms(Duration.ofSeconds(1), Duration.ofSeconds(5), 3, 10_000, 5_000, 1 << 28);

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is not positive, or a lease is not longer than two
     *     beats
     */
    public Terms {
        checkArgument(beat.isPositive(), "the beat is %s, expected a positive duration", beat);
        checkArgument(
                lease.compareTo(beat.multipliedBy(2)) > 0,
                "the lease is %s, expected more than two beats of %s",
                lease,
                beat);
        checkArgument(attempts > 0, "there are %s attempts, expected at least 1", attempts);
        checkArgument(waiting > 0, "%s blocks may wait, expected at least 1", waiting);
        checkArgument(share > 0, "an author's share is %s, expected at least 1", share);
        checkArgument(largest > 0, "the largest payload is %s, expected at least 1 byte", largest);
    }

    /** Returns these terms with another beat and lease. */
    public Terms leases(Duration otherBeat, Duration otherLease) {
        return new Terms(otherBeat, otherLease, attempts, waiting, share, largest);
    }

    /** Returns these terms with another number of attempts. */
    public Terms attempts(int most) {
        return new Terms(beat, lease, most, waiting, share, largest);
    }

    /** Returns these terms with other bounds of the queues. */
    public Terms queues(int mostWaiting, int ofAnAuthor) {
        return new Terms(beat, lease, attempts, mostWaiting, ofAnAuthor, largest);
    }

    /** Returns these terms with another size of the largest payload. */
    public Terms largest(int bytes) {
        return new Terms(beat, lease, attempts, waiting, share, bytes);
    }
}
