package dev.blockscope;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;

/** A host function that does not hear of interrupts until it is told to return. */
public final class Deaf implements Callable<Object> {
    public final CountDownLatch entered = new CountDownLatch(1);
    public final CountDownLatch returns = new CountDownLatch(1);

    /** Creates one that nobody has called yet. */
    public Deaf() {}

    @Override
    public Object call() {
        entered.countDown();
        boolean interrupted = false;
        while (returns.getCount() > 0) {
            try {
                returns.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return "woke";
    }
}
