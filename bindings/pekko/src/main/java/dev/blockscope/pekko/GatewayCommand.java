package dev.blockscope.pekko;

import org.apache.pekko.actor.NoSerializationVerificationNeeded;
import org.apache.pekko.actor.typed.ActorRef;

/** What the gateway's actor is told: by slots, and within its own JVM. */
interface GatewayCommand {
    /** Never leaves its JVM, so nobody need see whether it could. */
    interface Local extends GatewayCommand, NoSerializationVerificationNeeded {}

    /** There may be something to give to a slot. */
    enum Look implements Local {
        LOOK
    }

    /** Time has passed. */
    enum Tick implements Local {
        TICK
    }

    /** A slot has ended, or its node has left the cluster. */
    record Gone(ActorRef<Message.ToSlot> slot) implements Local {}

    /** Nobody waits for a job that a slot has. */
    record Stop(ActorRef<Message.ToSlot> slot, String job, int attempt) implements Local {}
}
