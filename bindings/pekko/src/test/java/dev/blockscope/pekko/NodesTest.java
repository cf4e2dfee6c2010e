package dev.blockscope.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.Done;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How a node ends whose connections do not. */
@Timeout(60)
final class NodesTest {
    /** What is held back here can be held back for ever by a connection. */
    @Test
    void aNodeWhoseConnectionsDoNotEndIsTakenForEndedAfterAWhile() throws Exception {
        ActorSystem<Void> system =
                ActorSystem.create(
                        Behaviors.empty(),
                        NodeSettings.SYSTEM,
                        NodeSettings.ofWorker(
                                "127.0.0.1", null, "127.0.0.1:1", Duration.ofSeconds(60)));
        CompletableFuture<Void> ended = Nodes.ended(system);
        CompletableFuture<Done> held = new CompletableFuture<>();
        CoordinatedShutdown.get(system)
                .addTask(
                        CoordinatedShutdown.PhaseBeforeActorSystemTerminate(),
                        "held-back",
                        () -> held);
        Nodes.terminate(system, ended);
        assertThat(ended).isCompleted();
        CompletableFuture<Done> terminated = system.getWhenTerminated().toCompletableFuture();
        assertThat(terminated).isNotDone();
        held.complete(Done.getInstance());
        terminated.get(30, TimeUnit.SECONDS);
    }
}
