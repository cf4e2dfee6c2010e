package dev.blockscope;

import dev.blockscope.truffle.Settlement;
import org.jspecify.annotations.Nullable;

/**
 * A run that waits for its promise: what comes due is done meanwhile, and siblings run, unless code
 * around the run is in the middle of something.
 */
final class PromiseWait {
    private final Run run;
    private final Realm realm;
    private final boolean inside;

    /**
     * Creates the wait of a run.
     *
     * @param inside whether guest code of the realm has called the host code that began the run
     */
    PromiseWait(Run run, Realm realm, boolean inside) {
        this.run = run;
        this.realm = realm;
        this.inside = inside;
    }

    /**
     * Waits until a promise is settled, or nothing is left that could settle it.
     *
     * @param check throws if the run must not go on
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    void until(Settlement settlement, Runnable check) throws InterruptedException {
        EventLoop loop = run.loop();
        realm.begunToWait(loop);
        try {
            loop.runUntil(settlement::isSettled, this::forNext, check);
        } finally {
            realm.endedToWait(loop);
        }
    }

    /** Says of a promise that is pending why it will stay so. */
    String whyUnsettled() {
        return inside
                ? "the block's promise never settled: it can only go on when the block that called the host has ended; run this one in a frame of its own"
                : "the block's promise never settled: no timer, no future of the host and no code of the block is left that could settle it; what the host is to settle must be a CompletableFuture";
    }

    private Runnable forNext(EventLoop.Next next) throws InterruptedException {
        if (inside) {
            return next.take();
        }
        run.share();
        @Nullable InterruptedException[] interrupted = {null};
        Runnable found =
                Turn.withoutTurn(
                        realm.turn(),
                        () -> {
                            try {
                                return next.take();
                            } catch (InterruptedException e) {
                                interrupted[0] = e;
                                return () -> {};
                            }
                        });
        if (interrupted[0] != null) {
            throw interrupted[0];
        }
        run.renew();
        return found;
    }
}
