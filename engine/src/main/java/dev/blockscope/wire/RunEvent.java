package dev.blockscope.wire;

/**
 * Something that became known of a block that runs elsewhere.
 *
 * @since 0.1
 */
public sealed interface RunEvent {
    /** Returns the number of times that the block was begun, from 1. */
    int attempt();

    /** Returns the name of the worker. */
    String worker();

    /**
     * A worker has begun to run the block. What an earlier attempt said may be said again.
     *
     * @param worker the worker
     * @param attempt how often it was begun
     */
    record Started(String worker, int attempt) implements RunEvent {}

    /**
     * An attempt is lost. If it may be repeated, it is.
     *
     * @param worker the worker
     * @param attempt which attempt
     * @param reason what is known
     */
    record Lost(String worker, int attempt, String reason) implements RunEvent {}
}
