package dev.blockscope.pekko;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.ActorSystem;
import org.apache.pekko.actor.typed.Props;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.serialization.Serialization;
import org.apache.pekko.serialization.SerializationExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What nodes send each other, by Pekko's own serialization, and that they send nothing else. */
@Timeout(60)
final class MessageTest {
    /** A node without others, which nonetheless makes bytes of all that its actors say. */
    static final String ALONE =
            "pekko { loglevel = OFF, actor { provider = local, serialize-messages = on } }";

    /** What the transport writes around a message. */
    private static final int HEADER = 1 << 16;

    private final BlockingQueue<Object> received = new LinkedBlockingQueue<>();
    private ActorSystem<Message.ToSlot> system;
    private ActorRef<Object> receiver;
    private Serialization serialization;

    @BeforeEach
    void open() {
        Config alone =
                ConfigFactory.parseString(ALONE)
                        .withFallback(NodeSettings.ofGateway("127.0.0.1", 0, null));
        system = ActorSystem.create(Behaviors.empty(), "messages", alone);
        receiver =
                system.systemActorOf(
                        Behaviors.receiveMessage(message -> {
                            received.add(message);
                            return Behaviors.same();
                        }),
                        "receiver",
                        Props.empty());
        serialization = SerializationExtension.get(system);
    }

    @AfterEach
    void close() {
        Nodes.terminate(system);
    }

    private Object sent(Object message) throws InterruptedException {
        receiver.tell(message);
        Object arrived = received.take();
        assertThat(arrived).isNotSameAs(message);
        return arrived;
    }

    @Test
    void everyMessageArrivesAsItWasSent() throws Exception {
        ActorRef<Message.ToSlot> slot = system;
        for (Message message :
                List.of(
                        new Message.Hello(slot, "first", 1, List.of("minilm", "ioi")),
                        new Message.Beat(slot, "ann-1", 2),
                        new Message.Declined(slot, "ann-1", 2),
                        new Message.Bye(slot),
                        new Message.Welcome(500),
                        new Message.Refused("another version"),
                        new Message.Heard("ann-1", 2),
                        new Message.Farewell(),
                        new Message.Cancel("ann-1", 2))) {
            assertThat(sent(message)).isEqualTo(message);
        }
    }

    @Test
    void bytesInMessagesArriveAsTheyWereSent() throws Exception {
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

    @Test
    void theLargestOfEachKindFitsIntoAFrame() {
        byte[] full = new byte[Parcel.LARGEST];
        Arrays.fill(full, (byte) -1);
        String longest = "€".repeat(Message.MOST_TEXT);
        LineBuffer buffer = new LineBuffer();
        for (int i = 0; i < 10_000; i++) {
            buffer.add(Arrays.copyOf(full, Parcel.LARGEST / 10_000));
        }
        LineBuffer.Batch lines = buffer.take();
        assertThat(lines.lines()).hasSize(10_000);
        Stream.of(
                        new Message.Run("a".repeat(120), 1, longest, new Parcel(0, 2, full)),
                        new Message.Done(system, "a".repeat(120), 1, new Parcel(0, 2, full)),
                        new Message.Said(system, "a".repeat(120), 1, lines.lines(), 1),
                        new Message.Hello(system, "", 1, List.of(longest)),
                        new Message.Refused(longest + longest))
                .forEach(message ->
                        assertThat((long) serialization.serialize(message).get().length)
                                .as(message.getClass().getSimpleName())
                                .isLessThan(NodeSettings.SMALLEST_FRAME - HEADER));
    }

    @Test
    void aFrameThatIsTooSmallForThemIsRefusedWhenANodeStarts() {
        String set = NodeSettings.FRAME_SIZE + " = 256 KiB";
        assertThatThrownBy(() -> NodeSettings.requireRoom(ConfigFactory.parseString(set)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "pekko.remote.artery.advanced.maximum-frame-size is 262144 bytes, and messages of nodes have up to 2097152");
    }

    /** A type that Java could serialize. */
    record Unbound(String text) implements Serializable {}

    @Test
    void whatIsNotBoundToASerializerFailsWhereItIsSent() throws Exception {
        assertThatThrownBy(() -> serialization.serialize(new Unbound("x")).get())
                .hasMessageContaining("Java serialization while");
        assertThatThrownBy(() -> serialization.serialize(new Object()).get())
                .isInstanceOf(Exception.class);
        receiver.tell(new Unbound("x"));
        receiver.tell(new Message.Farewell());
        assertThat(received.take()).isEqualTo(new Message.Farewell());
    }

    @Test
    void whatNeverLeavesItsJvmIsNotMadeBytesOf() throws Exception {
        receiver.tell(SlotCommand.Tick.TICK);
        assertThat(received.take()).isSameAs(SlotCommand.Tick.TICK);
        SlotCommand.Overdue local = new SlotCommand.Overdue("a", 1);
        receiver.tell(local);
        assertThat(received.take()).isSameAs(local);
    }
}
