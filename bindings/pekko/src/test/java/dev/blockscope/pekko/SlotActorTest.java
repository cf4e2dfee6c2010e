package dev.blockscope.pekko;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
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
                        ConfigFactory.parseString(MessageTest.ALONE)
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

    /** The gateway's own bound may be another one, or none. */
    @Test
    void aJobOfMoreBytesThanTheSlotTakesIsToldAndTheSlotGoesOn() throws Exception {
        next(Message.Hello.class);
        for (Parcel parcel : Parcel.cut(new byte[3 * Parcel.LARGEST])) {
            slot.tell(new Message.Run("ann-1", 1, "", parcel));
        }
        slot.tell(new Message.Run("ann-2", 1, "none", new Parcel(0, 1, new byte[] {1})));
        Message.Done first = next(Message.Done.class);
        assertThat(first.job()).isEqualTo("ann-1");
        assertThat(new String(first.parcel().bytes(), ISO_8859_1))
                .contains("the block is more than the 1048576 bytes that the worker worker takes");
        Message.Done second = next(Message.Done.class);
        assertThat(second.job()).isEqualTo("ann-2");
        assertThat(new String(second.parcel().bytes(), ISO_8859_1))
                .contains("the worker worker has no model");
    }

    @Test
    void aJobWhoseFirstParcelWasLostIsNotBegun() throws Exception {
        next(Message.Hello.class);
        slot.tell(new Message.Run("ann-1", 1, "", new Parcel(1, 2, new byte[] {1})));
        slot.tell(new Message.Run("ann-2", 1, "none", new Parcel(0, 1, new byte[] {1})));
        assertThat(next(Message.Done.class).job()).isEqualTo("ann-2");
        slot.tell(new Message.Welcome(50));
        assertThat(next(Message.Hello.class)).isNotNull();
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
