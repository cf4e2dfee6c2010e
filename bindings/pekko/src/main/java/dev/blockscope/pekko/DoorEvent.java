package dev.blockscope.pekko;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.cbor.CBORFactory;
import dev.blockscope.wire.Carrier;
import dev.blockscope.wire.DispatchException;
import java.util.Arrays;
import java.util.List;

/**
 * What the door says of a job, as one CBOR map after the other.
 *
 * @param event what has happened
 * @param job the id of the job, where it was taken
 * @param worker the name of the worker, or an empty text
 * @param attempt the number of times that it was begun
 * @param text the reason, or an empty text
 * @param bytes a line or an outcome, or nothing
 * @param attempts of a job that failed: a list of worker and reason for each time it was begun
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record DoorEvent(
        String event,
        String job,
        String worker,
        int attempt,
        String text,
        byte[] bytes,
        List<List<String>> attempts) {
    static final ObjectMapper MAPPER = new ObjectMapper(new CBORFactory());

    static final String TAKEN = "taken";
    static final String STARTED = "started";
    static final String SAID = "said";
    static final String LOST = "lost";
    static final String ENDED = "ended";

    /** Nothing has happened, and both sides are there. */
    static final String ALIVE = "alive";

    private static final byte[] NOTHING = {};

    static DoorEvent taken(String job) {
        return new DoorEvent(TAKEN, job, "", 0, "", NOTHING, List.of());
    }

    static DoorEvent alive() {
        return new DoorEvent(ALIVE, "", "", 0, "", NOTHING, List.of());
    }

    static DoorEvent started(String worker, int attempt) {
        return new DoorEvent(STARTED, "", worker, attempt, "", NOTHING, List.of());
    }

    static DoorEvent said(int attempt, byte[] line) {
        return new DoorEvent(SAID, "", "", attempt, "", line, List.of());
    }

    static DoorEvent lost(String worker, int attempt, String reason) {
        return new DoorEvent(LOST, "", worker, attempt, reason, NOTHING, List.of());
    }

    static DoorEvent ended(int attempt, byte[] outcome) {
        return new DoorEvent(ENDED, "", "", attempt, "", outcome, List.of());
    }

    /** The job has failed; the event is the name of the kind. */
    static DoorEvent failed(DispatchException reason) {
        return new DoorEvent(
                reason.kind().name(),
                "",
                "",
                0,
                String.valueOf(reason.getMessage()),
                NOTHING,
                reason.attempts().stream().map(it -> List.of(it.worker(), it.reason())).toList());
    }

    /** Returns the failure that this is. */
    DispatchException failure() {
        List<DispatchException.Attempt> begun =
                attempts.stream()
                        .map(it -> new DispatchException.Attempt(it.getFirst(), it.getLast()))
                        .toList();
        return new DispatchException(
                Arrays.stream(DispatchException.Kind.values())
                        .filter(kind -> kind.name().equals(event))
                        .findFirst()
                        .orElse(DispatchException.Kind.REFUSED),
                text,
                begun);
    }

    /** Tells a receiver. Returns whether more will come. */
    boolean tell(Carrier.Receiver receiver) {
        switch (event) {
            case STARTED -> receiver.started(worker, attempt);
            case SAID -> receiver.said(attempt, bytes);
            case LOST -> receiver.lost(worker, attempt, text);
            case TAKEN, ALIVE -> {}
            case ENDED -> {
                receiver.ended(attempt, bytes);
                return false;
            }
            default -> {
                receiver.failed(failure());
                return false;
            }
        }
        return true;
    }

    /** Whether no other event follows. */
    boolean last() {
        return switch (event) {
            case STARTED, SAID, LOST, TAKEN, ALIVE -> false;
            default -> true;
        };
    }
}
