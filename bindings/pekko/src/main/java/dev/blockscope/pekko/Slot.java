package dev.blockscope.pekko;

import dev.blockscope.wire.EnvelopeRunner;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * What the slots of a worker have in common.
 *
 * @param worker the worker's name
 * @param runners what runs the jobs, by the name of the model they need; those that need none have
 *     an empty one
 * @param largest how many bytes a job or its outcome has at most
 * @param grace how long a job that was cancelled has to end
 * @param protocol the version that the worker speaks
 * @param threads run jobs; platform threads, for blocks may wait on them
 * @param listener is told of what happens to the slots
 */
record Slot(
        String worker,
        Map<String, EnvelopeRunner> runners,
        int largest,
        Duration grace,
        int protocol,
        Executor threads,
        Listener listener) {

    /** Names of the models, without the empty one. */
    List<String> models() {
        return runners.keySet().stream().filter(name -> !name.isEmpty()).sorted().toList();
    }

    /** Is told of what happens to the slots. */
    interface Listener {
        /** The gateway knows a slot. */
        void welcomed();

        /** The gateway does not want the worker. */
        void refused(String reason);
    }
}
