package dev.blockscope.pekko;

import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.receptionist.Receptionist;

/** What a slot's actor is told: by the gateway, and within its own JVM. */
interface SlotCommand {
    /** Never leaves its JVM, so nobody need see whether it could. */
    interface Local extends SlotCommand, NoSerializationVerificationNeeded {}

    /** Gateways have come or gone. */
    record Listed(Receptionist.Listing listing) implements Local {}

    /** Time has passed. */
    enum Tick implements Local {
        TICK
    }

    /** The job has said something. */
    enum Lines implements Local {
        LINES
    }

    /** The job has ended. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Ended(String job, int attempt, byte[] outcome) implements Local {}

    /** A job that was cancelled has had its time to end. */
    record Overdue(String job, int attempt) implements Local {}

    /** No job after this one. */
    record Drain(ActorRef<SlotDrained> to) implements Local {}

    /** The gateway does not answer a slot that leaves. */
    enum Unanswered implements Local {
        UNANSWERED
    }

    /** The slot has nothing to do any more. */
    enum SlotDrained implements NoSerializationVerificationNeeded {
        DRAINED
    }
}
