package dev.blockscope.pekko;

import dev.blockscope.wire.Outcomes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.receptionist.Receptionist;
import org.apache.pekko.actor.typed.receptionist.ServiceKey;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The voice of a {@link LeaseBook}: what slots say goes into it, and what it decides to them. */
final class GatewayActor extends AbstractBehavior<GatewayCommand> {
    private static final Logger LOG = LoggerFactory.getLogger(GatewayActor.class);

    /** By which slots find the gateway. */
    static final ServiceKey<Message.ToGateway> KEY =
            ServiceKey.create(Message.ToGateway.class, "blockscope-gateway");

    private final LeaseBook<ActorRef<Message.ToSlot>> book;
    private final Terms terms;

    /** What stands for an outcome of more bytes than the gateway takes. */
    private final byte[] tooLarge;

    private final Map<ActorRef<Message.ToSlot>, Parcel.Assembly> arriving = new HashMap<>();

    private GatewayActor(
            ActorContext<GatewayCommand> context,
            LeaseBook<ActorRef<Message.ToSlot>> book,
            Terms terms) {
        super(context);
        this.book = book;
        this.terms = terms;
        this.tooLarge =
                Outcomes.tooLarge(
                        "what the block came to is more than the %d bytes that the gateway takes; assign less, or raise Terms.largest"
                                .formatted(terms.largest()));
    }

    static Behavior<GatewayCommand> of(LeaseBook<ActorRef<Message.ToSlot>> book, Terms terms) {
        return Behaviors.setup(context -> {
            context.getSystem()
                    .receptionist()
                    .tell(Receptionist.register(KEY, context.getSelf().narrow()));
            return Behaviors.withTimers(timers -> {
                timers.startTimerAtFixedRate(GatewayCommand.Tick.TICK, terms.beat().dividedBy(2));
                return new GatewayActor(context, book, terms);
            });
        });
    }

    @Override
    public Receive<GatewayCommand> createReceive() {
        return newReceiveBuilder()
                .onMessage(Message.Hello.class, this::hello)
                .onMessage(Message.Beat.class, this::beat)
                .onMessage(Message.Said.class, this::said)
                .onMessage(Message.Done.class, this::done)
                .onMessage(Message.Declined.class, this::declined)
                .onMessage(Message.Bye.class, this::bye)
                .onMessage(GatewayCommand.Gone.class, this::gone)
                .onMessage(GatewayCommand.Stop.class, this::stop)
                .onMessage(GatewayCommand.Tick.class, this::tick)
                .onMessage(GatewayCommand.Look.class, look -> granting())
                .build();
    }

    private Behavior<GatewayCommand> hello(Message.Hello hello) {
        String reason = reasonToRefuse(hello);
        if (reason != null) {
            LOG.warn("a worker was refused: {}", reason);
            hello.slot().tell(new Message.Refused(reason));
            return this;
        }
        getContext().watchWith(hello.slot(), new GatewayCommand.Gone(hello.slot()));
        book.hello(hello.slot(), hello.worker(), hello.models());
        hello.slot().tell(new Message.Welcome(terms.beat().toMillis()));
        return granting();
    }

    private static @Nullable String reasonToRefuse(Message.Hello hello) {
        String excess = Message.Hello.excess(hello.worker(), hello.models());
        if (excess != null || hello.protocol() == Message.PROTOCOL) {
            return excess;
        }
        return "the gateway speaks version %d of the protocol and the worker %s version %d; use the same release of blockscope on both sides"
                .formatted(Message.PROTOCOL, hello.worker(), hello.protocol());
    }

    private Behavior<GatewayCommand> beat(Message.Beat beat) {
        if (!book.beat(beat.slot(), beat.job(), beat.attempt(), System.nanoTime())) {
            beat.slot().tell(new Message.Cancel(beat.job(), beat.attempt()));
        }
        return this;
    }

    private Behavior<GatewayCommand> said(Message.Said said) {
        List<byte[]> lines = new ArrayList<>();
        if (said.dropped() > 0) {
            lines.add(LineBuffer.droppedLines(said.dropped()));
        }
        lines.addAll(said.lines());
        // Not before they are told: what a slow receiver does not take waits in the slot, bounded.
        Message.Heard heard = new Message.Heard(said.job(), said.attempt());
        book.said(said.slot(), said.job(), said.attempt(), lines, () -> said.slot().tell(heard));
        return this;
    }

    private Behavior<GatewayCommand> done(Message.Done done) {
        byte[] outcome = arriving.computeIfAbsent(done.slot(), it -> outcomes()).add(done.parcel());
        if (outcome == null) {
            // The rest is on its way, which is as good as a beat.
            book.beat(done.slot(), done.job(), done.attempt(), System.nanoTime());
            return this;
        }
        arriving.remove(done.slot());
        tell(book.done(done.slot(), done.job(), done.attempt(), outcome));
        return granting();
    }

    /** A worker keeps to its own bound, and may be anybody's who has a certificate. */
    private Parcel.Assembly outcomes() {
        return new Parcel.Assembly(terms.largest(), tooLarge);
    }

    private Behavior<GatewayCommand> declined(Message.Declined declined) {
        book.declined(declined.slot(), declined.job(), declined.attempt());
        return granting();
    }

    private Behavior<GatewayCommand> bye(Message.Bye bye) {
        book.bye(bye.slot());
        bye.slot().tell(new Message.Farewell());
        return this;
    }

    private Behavior<GatewayCommand> gone(GatewayCommand.Gone gone) {
        arriving.remove(gone.slot());
        book.gone(gone.slot());
        return granting();
    }

    private Behavior<GatewayCommand> stop(GatewayCommand.Stop stop) {
        stop.slot().tell(new Message.Cancel(stop.job(), stop.attempt()));
        return this;
    }

    private Behavior<GatewayCommand> tick(GatewayCommand.Tick tick) {
        book.expire(System.nanoTime());
        return granting();
    }

    private void tell(LeaseBook.@Nullable Stop<ActorRef<Message.ToSlot>> stop) {
        if (stop != null) {
            stop.slot().tell(new Message.Cancel(stop.job(), stop.attempt()));
        }
    }

    private Behavior<GatewayCommand> granting() {
        for (var grant : book.grants(System.nanoTime())) {
            LeasedJob job = grant.job();
            for (Parcel parcel : Parcel.cut(job.payload())) {
                grant.slot().tell(new Message.Run(job.id(), grant.attempt(), job.model(), parcel));
            }
        }
        return this;
    }
}
