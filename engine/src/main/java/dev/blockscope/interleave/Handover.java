package dev.blockscope.interleave;

import dev.blockscope.StopSignal;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Hands the turn to and fro between the thread of a computation and that of one block: either runs
 * while the other waits, and what either writes before, the other sees.
 *
 * <p>Who waits looks for a moment before it sleeps: waking a thread takes longer than most blocks
 * need. It yields to any thread that wants its core: looking without that, measured beside other
 * work, made a hand-over six times slower than sleeping at once.
 */
final class Handover {
    /** Measured on two cores: a block that is woken, works and hands back takes 0.1 to 0.3 ms. */
    private static final long HOST_LOOKS = 400_000;

    /**
     * A block looks only if it is alone: else the next turn is another's, who needs the core. With
     * 24 edits in a model that takes 3 ms, looking for 0.2 ms made the middle run a quarter faster
     * than looking for 0.03 ms; looking longer changed nothing more.
     */
    private static final long BLOCK_LOOKS = 200_000;

    /** How often who waits asks whether it still should. */
    private static final Duration SLICE = Duration.ofMillis(20);

    private static final boolean SEVERAL_CORES = Runtime.getRuntime().availableProcessors() > 1;

    private enum Block {
        NEW,
        RUNNING,
        WAITING,
        ENDED
    }

    private final Thread host = Thread.currentThread();
    private final long patience;
    private final long blockLooks;
    private volatile @Nullable Thread thread;
    private volatile Block block = Block.NEW;
    private volatile boolean blocksTurn;

    /**
     * Creates the hand-over of a block that has not begun; this thread is the computation's.
     *
     * @param patience how long the block may have the turn without taking it
     * @param alone whether no other block takes turns with the computation
     */
    Handover(Duration patience, boolean alone) {
        this.patience = patience.toNanos();
        this.blockLooks = alone ? BLOCK_LOOKS : 0;
    }

    // The computation's side.

    /** Gives the turn to the block; {@link #awaitHost} is to follow. */
    void toBlock() {
        blocksTurn = true;
        LockSupport.unpark(thread);
    }

    /**
     * Waits until the block gives the turn back.
     *
     * @param check throws if the wait is to end otherwise
     * @throws IllegalStateException if the block has the turn and does not take it: a fault of ours
     */
    void awaitHost(Runnable check) throws InterruptedException {
        look(HOST_LOOKS, false);
        long idleSince = System.nanoTime();
        while (blocksTurn) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            LockSupport.parkNanos(this, SLICE.toNanos());
            if (!blocksTurn) {
                return;
            }
            check.run();
            if (block == Block.RUNNING) {
                idleSince = System.nanoTime();
            } else if (System.nanoTime() - idleSince > patience) {
                throw new IllegalStateException(
                        "a block was given the turn and has not taken it for %d s (it is %s): this is a fault of Blockscope, please report it"
                                .formatted(Duration.ofNanos(patience).toSeconds(), block));
            }
        }
    }

    // The block's side.

    /** The block begins on this thread. */
    void begin() {
        thread = Thread.currentThread();
        block = Block.RUNNING;
    }

    /** Gives the turn back and waits until it is given again, or the block is to stop. */
    void await(StopSignal signal) {
        block = Block.WAITING;
        toHost();
        look(blockLooks, true);
        boolean interrupted = false;
        while (!blocksTurn && !signal.isStopped()) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        block = Block.RUNNING;
    }

    /** The block is over. */
    void end() {
        thread = null;
        block = Block.ENDED;
        toHost();
    }

    private void toHost() {
        blocksTurn = false;
        LockSupport.unpark(host);
    }

    @SuppressWarnings("ThreadPriorityCheck") // yields make it faster; nothing relies on them
    private void look(long nanos, boolean untilBlocks) {
        if (SEVERAL_CORES) {
            long until = System.nanoTime() + nanos;
            while (blocksTurn != untilBlocks && System.nanoTime() < until) {
                Thread.yield();
            }
        }
    }
}
