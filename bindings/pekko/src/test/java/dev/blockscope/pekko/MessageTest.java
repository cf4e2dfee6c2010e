package dev.blockscope.pekko;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.Serializable;
import java.util.List;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.SerializationExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What nodes send each other, and that they send nothing else. */
@Timeout(60)
final class MessageTest {
    private ActorSystem<Message.ToSlot> system;
    private Serialization serialization;

    @BeforeEach
    void open() {
        Config alone =
                ConfigFactory.parseString("pekko.actor.provider = local")
                        .withFallback(NodeSettings.ofGateway("127.0.0.1", 0, null));
        system = ActorSystem.create(Behaviors.empty(), "messages", alone);
        serialization = SerializationExtension.get(system);
    }

    @AfterEach
    void close() {
        Nodes.terminate(system);
    }

    private Object sent(Object message) {
        byte[] bytes = serialization.serialize(message).get();
        return serialization.deserialize(bytes, message.getClass()).get();
    }

    @Test
    void everyMessageArrivesAsItWasSent() {
        ActorRef<Message.ToSlot> slot = system;
        Stream.of(
                        new Message.Hello(slot, "first", 1, List.of("minilm", "ioi")),
                        new Message.Beat(slot, "ann-1", 2),
                        new Message.Declined(slot, "ann-1", 2),
                        new Message.Bye(slot),
                        new Message.Welcome(500),
                        new Message.Refused("another version"),
                        new Message.Heard("ann-1", 2),
                        new Message.Farewell(),
                        new Message.Cancel("ann-1", 2))
                .forEach(message -> assertThat(sent(message)).isEqualTo(message));
    }

    @Test
    void bytesInMessagesArriveAsTheyWereSent() {
        byte[] bytes = {1, -2, 3};
        Message.Run run = (Message.Run) sent(new Message.Run("a", 1, "m", new Parcel(0, 2, bytes)));
        assertThat(run.parcel().bytes()).isEqualTo(bytes);
        assertThat(run.parcel().count()).isEqualTo(2);
        Message.Said said =
                (Message.Said) sent(new Message.Said(system, "a", 1, List.of(bytes, bytes), 3));
        assertThat(said.lines()).containsExactly(bytes, bytes);
        Message.Done done =
                (Message.Done) sent(new Message.Done(system, "a", 1, new Parcel(1, 2, bytes)));
        assertThat(done.parcel().bytes()).isEqualTo(bytes);
    }

    /** A type that Java could serialize. */
    record Unbound(String text) implements Serializable {}

    @Test
    void whatIsNotBoundToASerializerFailsWhereItIsSent() {
        assertThatThrownBy(() -> sent(new Unbound("x")))
                .hasMessageContaining("Java serialization while");
        assertThatThrownBy(() -> sent(new Object())).isInstanceOf(Exception.class);
    }
}
