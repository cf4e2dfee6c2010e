package dev.blockscope.pekko;

import com.google.common.base.Throwables;
import java.net.BindException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How nodes end. */
final class Nodes {
    private static final Logger LOG = LoggerFactory.getLogger(Nodes.class);

    /** To leave a cluster takes some seconds, and more if the others do not answer. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** How long the connections of a node that has ended may take to end as well. */
    private static final Duration CONNECTIONS = Duration.ofSeconds(3);

    private Nodes() {}

    /**
     * Returns what is done when a node has ended, or a while after all of it but its connections
     * has. Pekko 1.7 waits for those without a bound (apache/pekko#3317), and encrypted ones to a
     * node that was killed and is there again were seen not to end.
     */
    static CompletableFuture<Void> ended(ActorSystem<?> system) {
        CompletableFuture<Void> ended =
                system.getWhenTerminated().thenRun(() -> {}).toCompletableFuture();
        CoordinatedShutdown.get(system)
                .addTask(
                        CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
                        "bound-connections",
                        () -> {
                            endAtMost(ended, system);
                            return CompletableFuture.completedFuture(Done.getInstance());
                        });
        return ended;
    }

    private static void endAtMost(CompletableFuture<Void> ended, ActorSystem<?> system) {
        CompletableFuture.delayedExecutor(CONNECTIONS.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> {
                    if (ended.complete(null)) {
                        LOG.warn("connections of the node {} do not end", system.address());
                    }
                });
    }

    /** Returns what is thrown if something cannot listen where it is to. */
    static BindException cannotListen(String what, String host, int port, Throwable cause) {
        BindException e =
                new BindException(
                        "the %s cannot listen on port %d of %s: %s; choose another port, or 0 for any free one"
                                .formatted(
                                        what,
                                        port,
                                        host,
                                        Throwables.getRootCause(cause).getMessage()));
        e.initCause(cause);
        return e;
    }

    /** Has a node leave the cluster and end, and waits for that. */
    static void terminate(ActorSystem<?> system) {
        terminate(system, ended(system));
    }

    /** Has a node leave the cluster and end, and waits for what is done when it has. */
    static void terminate(ActorSystem<?> system, CompletableFuture<?> ended) {
        system.terminate();
        try {
            ended.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException e) {
            LOG.warn("the node {} has not ended after {}", system.address(), PATIENCE);
        } catch (ExecutionException e) {
            LOG.warn("the node {} has not ended well", system.address(), e.getCause());
        }
    }
}
