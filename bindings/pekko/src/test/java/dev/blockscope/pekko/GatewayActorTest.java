package dev.blockscope.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A gateway that speaks with the test instead of a slot. */
@Timeout(60)
final class GatewayActorTest {
    private final BlockingQueue<Message.ToSlot> said = new LinkedBlockingQueue<>();
    private final LeaseBook<ActorRef<Message.ToSlot>> book = new LeaseBook<>(Terms.DEFAULT);
    private ActorSystem<GatewayCommand> gateway;
    private ActorRef<Message.ToSlot> slot;

    @BeforeEach
    void open() {
        gateway =
                ActorSystem.create(
                        GatewayActor.of(book, Terms.DEFAULT),
                        "gateway",
                        ConfigFactory.parseString(MessageTest.ALONE)
                                .withFallback(NodeSettings.ofGateway("127.0.0.1", 0, null)));
        slot =
                gateway.systemActorOf(
                        Behaviors.<Message.ToSlot>receiveMessage(message -> {
                            said.add(message);
                            return Behaviors.same();
                        }),
                        "slot",
                        Props.empty());
    }

    @AfterEach
    void close() {
        Nodes.terminate(gateway);
    }

    @Test
    void aWorkerWithMoreNamesThanAreKeptIsRefusedAndNothingOfItIsKept() throws Exception {
        List<String> names = List.of("a".repeat(Message.MOST_TEXT), "b");
        gateway.tell(new Message.Hello(slot, "first", Message.PROTOCOL, names));
        assertThat(said.take())
                .isInstanceOfSatisfying(
                        Message.Refused.class,
                        it ->
                                assertThat(it.reason())
                                        .contains("the names of the worker first and of its 2")
                                        .contains("65542 characters, and no more than 65536"));
        assertThat(book.models()).isEmpty();
        assertThat(book.state().slots()).isZero();
    }

    @Test
    void aSlotHasTheModelsThatItFirstSaidItHad() throws Exception {
        gateway.tell(new Message.Hello(slot, "first", Message.PROTOCOL, List.of("minilm")));
        gateway.tell(new Message.Hello(slot, "first", Message.PROTOCOL, List.of("other")));
        assertThat(said.take()).isInstanceOf(Message.Welcome.class);
        assertThat(said.take()).isInstanceOf(Message.Welcome.class);
        assertThat(book.models()).containsExactly("minilm");
    }
}
