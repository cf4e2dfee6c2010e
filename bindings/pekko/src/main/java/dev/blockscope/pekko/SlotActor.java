package dev.blockscope.pekko;

import dev.blockscope.StopSignal;
import dev.blockscope.wire.EnvelopeRunner;
import dev.blockscope.wire.Outcomes;
import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.PostStop;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.actor.typed.javadsl.TimerScheduler;
import org.apache.pekko.actor.typed.receptionist.Receptionist;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One place of a worker, in which one job runs at a time: it says hello to the gateway, takes a
 * job, beats while that runs on a thread of its own, and sends what it came to.
 */
final class SlotActor extends AbstractBehavior<SlotCommand> {
    private static final Logger LOG = LoggerFactory.getLogger(SlotActor.class);

    /** What stands for a job of more bytes than the slot takes. */
    private static final byte[] TOO_LARGE = {};

    /** How often a slot says hello before it is told how often the gateway wants to hear of it. */
    private static final Duration HELLO = Duration.ofSeconds(1);

    /** How long a slot that leaves waits for the gateway, which may be gone. */
    private static final Duration FAREWELL = Duration.ofSeconds(3);

    private final Slot slot;
    private final TimerScheduler<SlotCommand> timers;
    private final Parcel.Assembly arriving;
    private @Nullable ActorRef<Message.ToGateway> gateway;
    private boolean welcomed;
    private @Nullable Running running;
    private @Nullable ActorRef<SlotCommand.SlotDrained> draining;
    private boolean left;

    private SlotActor(
            ActorContext<SlotCommand> context, TimerScheduler<SlotCommand> timers, Slot slot) {
        super(context);
        this.slot = slot;
        this.timers = timers;
        this.arriving = new Parcel.Assembly(slot.largest(), TOO_LARGE);
    }

    static Behavior<SlotCommand> of(Slot slot) {
        return Behaviors.setup(context -> {
            ActorRef<Receptionist.Listing> listings =
                    context.messageAdapter(Receptionist.Listing.class, SlotCommand.Listed::new);
            context.getSystem()
                    .receptionist()
                    .tell(Receptionist.subscribe(GatewayActor.KEY, listings));
            return Behaviors.withTimers(timers -> {
                timers.startTimerAtFixedRate(SlotCommand.Tick.TICK, HELLO);
                return new SlotActor(context, timers, slot);
            });
        });
    }

    /** A job that was begun. */
    private static final class Running {
        private final String job;
        private final int attempt;
        private final StopSignal signal = new StopSignal();
        private final LineBuffer lines = new LineBuffer();

        /** Whether lines are on their way that were not heard yet. */
        private boolean speaking;

        Running(String job, int attempt) {
            this.job = job;
            this.attempt = attempt;
        }

        boolean is(String id, int ofAttempt) {
            return job.equals(id) && attempt == ofAttempt;
        }
    }

    @Override
    public Receive<SlotCommand> createReceive() {
        return newReceiveBuilder()
                .onMessage(SlotCommand.Listed.class, this::listed)
                .onMessage(SlotCommand.Tick.class, tick -> tick())
                .onMessage(Message.Welcome.class, this::welcome)
                .onMessage(Message.Refused.class, this::refused)
                .onMessage(Message.Run.class, this::run)
                .onMessage(SlotCommand.Lines.class, lines -> speak())
                .onMessage(Message.Heard.class, this::heard)
                .onMessage(SlotCommand.Ended.class, this::ended)
                .onMessage(Message.Cancel.class, this::cancel)
                .onMessage(SlotCommand.Overdue.class, this::overdue)
                .onMessage(SlotCommand.Drain.class, this::drain)
                .onMessage(Message.Farewell.class, farewell -> left())
                .onMessage(SlotCommand.Unanswered.class, unanswered -> left())
                .onSignal(PostStop.class, stopped -> stopped())
                .build();
    }

    /** Its node has ended, and nobody hears what the block comes to. */
    private Behavior<SlotCommand> stopped() {
        if (running != null) {
            running.signal.stop("the worker is no member of the cluster any more");
        }
        return this;
    }

    private Behavior<SlotCommand> listed(SlotCommand.Listed listed) {
        ActorRef<Message.ToGateway> found =
                listed.listing().getServiceInstances(GatewayActor.KEY).stream()
                        .findFirst()
                        .orElse(null);
        if (found != null && !found.equals(gateway)) {
            gateway = found;
            welcomed = false;
            sayHello();
        }
        return this;
    }

    private void sayHello() {
        if (gateway != null && draining == null) {
            gateway.tell(new Message.Hello(self(), slot.worker(), slot.protocol(), slot.models()));
        }
    }

    private ActorRef<Message.ToSlot> self() {
        return getContext().getSelf().narrow();
    }

    private Behavior<SlotCommand> tick() {
        if (running == null) {
            sayHello();
        } else {
            tell(new Message.Beat(self(), running.job, running.attempt));
        }
        return this;
    }

    private void tell(Message.ToGateway message) {
        if (gateway != null) {
            gateway.tell(message);
        }
    }

    private Behavior<SlotCommand> welcome(Message.Welcome welcome) {
        if (!welcomed) {
            welcomed = true;
            timers.startTimerAtFixedRate(
                    SlotCommand.Tick.TICK, Duration.ofMillis(welcome.beatMillis()));
            slot.listener().welcomed();
        }
        return this;
    }

    private Behavior<SlotCommand> refused(Message.Refused refused) {
        slot.listener().refused(refused.reason());
        return Behaviors.stopped();
    }

    @SuppressWarnings("ReferenceEquality") // no payload is that one, whatever its bytes
    private Behavior<SlotCommand> run(Message.Run run) {
        if (draining != null) {
            if (run.parcel().index() == 0) {
                tell(new Message.Declined(self(), run.job(), run.attempt()));
            }
            return this;
        }
        byte[] payload = arriving.add(run.parcel());
        Running taken = taken(run);
        if (taken == null || payload == null) {
            return this;
        }
        if (payload == TOO_LARGE) {
            return ended(new SlotCommand.Ended(run.job(), run.attempt(), tooLarge()));
        }
        begin(taken, run.model(), payload);
        return this;
    }

    /** Returns the job that a parcel is of, or null if its first one was lost or it has ended. */
    private @Nullable Running taken(Message.Run run) {
        if (running != null && running.is(run.job(), run.attempt())) {
            return running;
        }
        if (run.parcel().index() > 0) {
            return null;
        }
        if (running != null) {
            LOG.warn("a second job came while {} runs; the first one is stopped", running.job);
            running.signal.stop("the gateway has given the slot to another block");
        }
        running = new Running(run.job(), run.attempt());
        return running;
    }

    private byte[] tooLarge() {
        return Outcomes.tooLarge(
                "the block is more than the %d bytes that the worker %s takes; send less, or raise Worker.Builder.largest"
                        .formatted(slot.largest(), slot.worker()));
    }

    private void begin(Running begun, String model, byte[] payload) {
        ActorRef<SlotCommand> self = getContext().getSelf();
        slot.threads()
                .execute(() -> {
                    byte[] outcome = outcome(begun, model, payload, self);
                    self.tell(new SlotCommand.Ended(begun.job, begun.attempt, outcome));
                });
    }

    private byte[] outcome(
            Running begun, String model, byte[] payload, ActorRef<SlotCommand> self) {
        EnvelopeRunner runner = slot.runners().get(model);
        if (runner == null) {
            return Outcomes.refusal(
                    "the worker %s has no model \"%s\"".formatted(slot.worker(), model));
        }
        try {
            byte[] outcome =
                    runner.run(
                            payload,
                            begun.signal,
                            line -> {
                                if (begun.lines.add(line)) {
                                    self.tell(SlotCommand.Lines.LINES);
                                }
                            });
            return Outcomes.within(slot.largest(), outcome, runner.vocabulary());
        } catch (RuntimeException | Error e) {
            // The slot goes on, and whoever waits for the block is told.
            LOG.warn("the runner of the model \"{}\" failed", model, e);
            return Outcomes.refusal("the worker %s failed with %s".formatted(slot.worker(), e));
        }
    }

    /** Sends lines, unless some are on their way. */
    private Behavior<SlotCommand> speak() {
        if (running != null && !running.speaking) {
            running.speaking = sendLines(running);
        }
        return this;
    }

    private boolean sendLines(Running of) {
        LineBuffer.Batch batch = of.lines.take();
        if (batch.isEmpty()) {
            return false;
        }
        tell(new Message.Said(self(), of.job, of.attempt, batch.lines(), batch.dropped()));
        return true;
    }

    private Behavior<SlotCommand> heard(Message.Heard heard) {
        if (running != null && running.is(heard.job(), heard.attempt())) {
            running.speaking = false;
            return speak();
        }
        return this;
    }

    private Behavior<SlotCommand> ended(SlotCommand.Ended ended) {
        if (running == null || !running.is(ended.job(), ended.attempt())) {
            // It was given up, and the slot has gone on.
            return this;
        }
        while (sendLines(running)) {
            // All of them, before the outcome.
        }
        for (Parcel parcel : Parcel.cut(ended.outcome())) {
            tell(new Message.Done(self(), ended.job(), ended.attempt(), parcel));
        }
        return free();
    }

    private Behavior<SlotCommand> free() {
        running = null;
        if (draining != null) {
            return left ? drained(draining) : this;
        }
        if (!welcomed) {
            sayHello();
        }
        return this;
    }

    private Behavior<SlotCommand> cancel(Message.Cancel cancel) {
        // With each beat it is told again, and its time to end counts from the first.
        if (running != null
                && running.is(cancel.job(), cancel.attempt())
                && !running.signal.isStopped()) {
            running.signal.stop("the run was cancelled");
            timers.startSingleTimer(
                    new SlotCommand.Overdue(cancel.job(), cancel.attempt()), slot.grace());
        }
        return this;
    }

    private Behavior<SlotCommand> overdue(SlotCommand.Overdue overdue) {
        if (running == null || !running.is(overdue.job(), overdue.attempt())) {
            return this;
        }
        LOG.warn(
                "the block {} was cancelled and has not ended after {}: it is in a host function. Its thread is left to it, and the slot goes on",
                overdue.job(),
                slot.grace());
        byte[] outcome = Outcomes.refusal("the block was cancelled and did not end in time");
        return ended(new SlotCommand.Ended(overdue.job(), overdue.attempt(), outcome));
    }

    /** A job may be on its way, which is to be declined; so the slot waits for an answer. */
    private Behavior<SlotCommand> drain(SlotCommand.Drain drain) {
        draining = drain.to();
        tell(new Message.Bye(self()));
        timers.startSingleTimer(
                SlotCommand.Unanswered.UNANSWERED, gateway == null ? Duration.ZERO : FAREWELL);
        return this;
    }

    private Behavior<SlotCommand> left() {
        left = true;
        return running == null && draining != null ? drained(draining) : this;
    }

    private static Behavior<SlotCommand> drained(ActorRef<SlotCommand.SlotDrained> told) {
        told.tell(SlotCommand.SlotDrained.DRAINED);
        return Behaviors.stopped();
    }
}
