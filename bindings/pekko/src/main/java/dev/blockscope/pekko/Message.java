package dev.blockscope.pekko;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.google.common.base.Ascii;
import java.util.Collection;
import java.util.List;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/**
 * All that gateway and slots say to each other, and the only classes that a node makes of bytes
 * from another one. Blocks, lines and outcomes are bytes in them.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NONE)
@SuppressWarnings("ArrayRecordComponent") // never compared
sealed interface Message {
    /** Nodes of another version are refused. */
    int PROTOCOL = 1;

    /** From a slot. */
    sealed interface ToGateway extends Message, GatewayCommand {
        ActorRef<ToSlot> slot();
    }

    /** From the gateway. */
    sealed interface ToSlot extends Message, SlotCommand {}

    /** How many characters of names or of a reason a message has at most. */
    int MOST_TEXT = 1 << 16;

    /** A slot is there, and free. */
    record Hello(ActorRef<ToSlot> slot, String worker, int protocol, List<String> models)
            implements ToGateway {
        /** Returns why its names are more than a gateway keeps of a worker, or null if not. */
        static @Nullable String excess(String worker, Collection<String> models) {
            long characters = worker.length();
            for (String model : models) {
                characters += model.length();
            }
            return characters <= MOST_TEXT
                    ? null
                    : "the names of the worker %s and of its %d models have %d characters, and no more than %d are taken; give them shorter ones"
                            .formatted(
                                    Ascii.truncate(worker, 100, "..."),
                                    models.size(),
                                    characters,
                                    MOST_TEXT);
        }
    }

    /** The slot still runs the job. */
    record Beat(ActorRef<ToSlot> slot, String job, int attempt) implements ToGateway {}

    /**
     * The job has said lines; more follow when they were {@link Heard}.
     *
     * @param dropped how many lines before these were dropped
     */
    record Said(ActorRef<ToSlot> slot, String job, int attempt, List<byte[]> lines, int dropped)
            implements ToGateway {}

    /** A piece of what the job came to. */
    record Done(ActorRef<ToSlot> slot, String job, int attempt, Parcel parcel)
            implements ToGateway {}

    /** The job was not begun, for the slot takes no more. */
    record Declined(ActorRef<ToSlot> slot, String job, int attempt) implements ToGateway {}

    /** The slot takes no more jobs. */
    record Bye(ActorRef<ToSlot> slot) implements ToGateway {}

    /**
     * The gateway knows the slot.
     *
     * @param beatMillis how often it must beat
     */
    record Welcome(long beatMillis) implements ToSlot {}

    /** The gateway does not want the slot. */
    record Refused(String reason) implements ToSlot {
        /** Cuts a reason that is too long, on both sides. */
        public Refused {
            reason = Ascii.truncate(reason, MOST_TEXT, "...");
        }
    }

    /** A piece of a job to run. */
    record Run(String job, int attempt, String model, Parcel parcel) implements ToSlot {}

    /** Lines have arrived. */
    record Heard(String job, int attempt) implements ToSlot {}

    /** The gateway has heard that the slot takes no more: none is on its way. */
    record Farewell() implements ToSlot {}

    /** Nobody waits for the job any more. */
    record Cancel(String job, int attempt) implements ToSlot {}
}
