package dev.blockscope.pekko;

import com.google.common.base.Throwables;
import java.net.BindException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.typed.ActorSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How nodes end. */
final class Nodes {
    private static final Logger LOG = LoggerFactory.getLogger(Nodes.class);

    /** To leave a cluster takes some seconds, and more if the others do not answer. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Nodes() {}

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
        system.terminate();
        try {
            system.getWhenTerminated()
                    .toCompletableFuture()
                    .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException e) {
            LOG.warn("the node {} has not ended after {}", system.address(), PATIENCE);
        } catch (ExecutionException e) {
            LOG.warn("the node {} has not ended well", system.address(), e.getCause());
        }
    }
}
