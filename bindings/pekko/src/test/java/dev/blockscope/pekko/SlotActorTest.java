package dev.blockscope.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.receptionist.Receptionist;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A slot that speaks with the test instead of a gateway. */
@Timeout(60)
final class SlotActorTest {
    private final BlockingQueue<Message.ToGateway> said = new LinkedBlockingQueue<>();
    private ActorSystem<SlotCommand> slot;

    @BeforeEach
    void open() {
        Slot settings =
                new Slot(
                        "worker",
                        Map.of(),
                        1 << 20,
                        Duration.ofSeconds(1),
                        Message.PROTOCOL,
                        Runnable::run,
                        new Slot.Listener() {
                            @Override
                            public void welcomed() {}

                            @Override
                            public void refused(String reason) {}
                        });
        slot =
                ActorSystem.create(
                        SlotActor.of(settings),
                        "slot",
                        ConfigFactory.parseString("pekko.actor.provider = local")
                                .withFallback(NodeSettings.ofGateway("127.0.0.1", 0, null)));
        ActorRef<Message.ToGateway> gateway =
                slot.systemActorOf(
                        Behaviors.<Message.ToGateway>receiveMessage(message -> {
                            said.add(message);
                            return Behaviors.same();
                        }),
                        "gateway",
                        Props.empty());
        slot.receptionist().tell(Receptionist.register(GatewayActor.KEY, gateway));
    }

    @AfterEach
    void close() {
        Nodes.terminate(slot);
    }

    private <M extends Message.ToGateway> M next(Class<M> type) throws InterruptedException {
        Message.ToGateway message = said.take();
        while (!type.isInstance(message)) {
            message = said.take();
        }
        return type.cast(message);
    }

    /** It was given before the gateway heard that the slot leaves, and must not count as begun. */
    @Test
    void aJobThatComesToASlotThatLeavesIsDeclined() throws Exception {
        next(Message.Hello.class);
        slot.tell(new Message.Welcome(500));
        CompletionStage<SlotCommand.SlotDrained> drained =
                AskPattern.ask(
                        slot, SlotCommand.Drain::new, Duration.ofSeconds(20), slot.scheduler());
        next(Message.Bye.class);
        slot.tell(new Message.Run("ann-1", 1, "", new Parcel(0, 1, new byte[] {1})));
        assertThat(next(Message.Declined.class).job()).isEqualTo("ann-1");
        assertThat(drained.toCompletableFuture()).isNotDone();
        slot.tell(new Message.Farewell());
        assertThat(drained.toCompletableFuture().get()).isEqualTo(SlotCommand.SlotDrained.DRAINED);
    }

    @Test
    void aSlotThatGetsNoAnswerLeavesWithoutOne() throws Exception {
        next(Message.Hello.class);
        AskPattern.<SlotCommand, SlotCommand.SlotDrained>ask(
                        slot, SlotCommand.Drain::new, Duration.ofSeconds(20), slot.scheduler())
                .toCompletableFuture()
                .get();
    }
}
