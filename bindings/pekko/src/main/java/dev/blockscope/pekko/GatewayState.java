package dev.blockscope.pekko;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import com.google.common.collect.Sets;
import java.util.Map;
import java.util.Set;

/**
 * What a gateway has in hand at one moment.
 *
 * @param waiting how many blocks wait, by the name of the model they need, which may be empty
 * @param workers the workers that are there, by name
 * @param done how many blocks have ended since the gateway was started
 * @param retried how often one was begun again
 * @param late how many outcomes came when another one had been taken already
 * @since 0.1
 */
public record GatewayState(
        Map<String, Integer> waiting,
        Map<String, WorkerState> workers,
        long done,
        long retried,
        long late) {
    /** Copies the maps. */
    public GatewayState {
        waiting = ImmutableMap.copyOf(waiting);
        workers = ImmutableMap.copyOf(workers);
    }

    /** Returns how many blocks can run at once. */
    public int slots() {
        return workers.values().stream().mapToInt(WorkerState::slots).sum();
    }

    /** Returns how many blocks run. */
    public int running() {
        return workers.values().stream().mapToInt(WorkerState::running).sum();
    }

    /**
     * A worker.
     *
     * @param slots how many blocks it runs at once
     * @param running how many it runs now
     * @param models the names of its models
     */
    public record WorkerState(int slots, int running, Set<String> models) {
        /** Copies the names. */
        public WorkerState {
            models = ImmutableSet.copyOf(models);
        }

        WorkerState plus(WorkerState other) {
            return new WorkerState(
                    slots + other.slots, running + other.running, Sets.union(models, other.models));
        }
    }
}
