package dev.blockscope;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A thread of its own for one action, where a pool might have none to spare. */
public final class OtherThread {
    private OtherThread() {}

    public static <T> CompletableFuture<T> supply(Supplier<T> action) {
        return CompletableFuture.supplyAsync(
                action, task -> Thread.ofPlatform().daemon().start(task));
    }
}
