package dev.blockscope;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A run on a thread of the engine, as a future; whoever cancels it stops the run. The future never
 * waits for host code: it fails when the run is to end and does not.
 */
final class AsyncRun extends CompletableFuture<BlockResult> {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    private final StopSignal signal = new StopSignal();
    private final Block block;
    private final AttendedRun run;
    private final AtomicBoolean leaving = new AtomicBoolean();
    private boolean failed;

    private AsyncRun(Block block) {
        this.block = block;
        this.run = AttendedRun.of(block, signal, this::leaveSoon);
    }

    /** Starts to run a block. */
    static CompletableFuture<BlockResult> of(Block block) {
        AsyncRun run = new AsyncRun(block);
        block.engine().start(run::execute);
        run.signal.addListener(run::leaveSoon);
        block.engine().stopAtClose(run.signal);
        return run;
    }

    private void execute() {
        try {
            BlockResult result = run.evaluate();
            finish(result);
        } catch (BlockException e) {
            fail(e);
        } catch (Throwable e) {
            // The thread has nobody to tell; the future's holder is.
            completeExceptionally(e);
        }
    }

    /** Either it is cancelled or it has pushed, whoever comes first. */
    private synchronized void finish(BlockResult result) {
        if (!isDone()) {
            result.push();
            complete(result);
        }
    }

    /** One that was left behind has failed already when it comes home. */
    private synchronized void fail(BlockException e) {
        if (!failed) {
            failed = true;
            block.frame().failed(block, e);
            completeExceptionally(e);
        }
    }

    /** The run is to end; nobody waits here until it does, and an engine may be about to close. */
    private void leaveSoon() {
        if (!run.isOver() && leaving.compareAndSet(false, true)) {
            Thread.ofVirtual().name("blockscope-leave").start(this::leave);
        }
    }

    /** Waits until the run has come home or is left behind. */
    private void leave() {
        while (!run.isOver()) {
            BlockException late = run.leaveIfOverdue();
            if (late != null) {
                fail(late);
                return;
            }
            LockSupport.parkNanos(this, BETWEEN_LOOKS.toNanos());
        }
    }

    @Override
    public synchronized boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            signal.stop("the future of the block's run was cancelled");
            run.interrupt();
        }
        return cancelled;
    }

    /** What depends on a run is no run. */
    @Override
    public <T> CompletableFuture<T> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
