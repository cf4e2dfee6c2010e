package dev.blockscope;

import java.util.concurrent.CompletableFuture;

/** A run on a thread of the engine, as a future; whoever cancels it stops the run. */
final class AsyncRun extends CompletableFuture<BlockResult> {
    private final StopSignal signal = new StopSignal();

    private AsyncRun() {}

    /** Starts to run a block. */
    static CompletableFuture<BlockResult> of(Block block) {
        AsyncRun run = new AsyncRun();
        block.engine().start(() -> run.execute(block));
        return run;
    }

    private void execute(Block block) {
        try {
            BlockResult result = block.evaluate(signal);
            finish(result);
        } catch (BlockException e) {
            block.frame().failed(block, e);
            completeExceptionally(e);
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

    @Override
    public synchronized boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            signal.stop("the future of the block's run was cancelled");
        }
        return cancelled;
    }

    /** What depends on a run is no run. */
    @Override
    public <T> CompletableFuture<T> newIncompleteFuture() {
        return new CompletableFuture<>();
    }
}
