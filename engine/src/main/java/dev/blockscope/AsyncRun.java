package dev.blockscope;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A run on a thread of the engine, as a future; whoever cancels it stops the run. The future never
 * waits for host code: it fails when the run is to end and does not.
 */
final class AsyncRun extends CompletableFuture<BlockResult> {
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(20);

    private final StopSignal signal = new StopSignal();
    private final Block block;
    private final AttendedRun run;
    private boolean failed;

    private AsyncRun(Block block) {
        this.block = block;
        this.run = AttendedRun.of(block, signal, this::leaveSoon);
    }

    /** Starts to run a block. */
    static CompletableFuture<BlockResult> of(Block block) {
        AsyncRun run = new AsyncRun(block);
        block.engine().start(run::execute);
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

    /** Waits, on the engine's watch, until the run has come home or is left behind. */
    private void leaveSoon() {
        BlockException late = run.leaveIfOverdue();
        if (late != null) {
            fail(late);
        } else if (!run.isOver()) {
            var _ = block.engine().watch().after(BETWEEN_LOOKS, this::leaveSoon);
        }
    }

    @Override
    public synchronized boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            signal.stop("the future of the block's run was cancelled");
            run.interrupt();
            var _ = block.engine().watch().after(Duration.ZERO, this::leaveSoon);
        }
        return cancelled;
    }

    /** What depends on a run is no run. */
    @Override
    public <T> CompletableFuture<T> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
