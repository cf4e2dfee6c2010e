package dev.blockscope.wire;

import static java.util.Objects.requireNonNull;

/**
 * Brings blocks to where they run, and brings back what they come to: what a {@link Dispatcher}
 * needs of a cluster, a queue or a pool of threads. It handles bytes, and knows neither blocks nor
 * values; at the other end an {@link EnvelopeRunner} takes them.
 *
 * @since 0.1
 */
public interface Carrier extends AutoCloseable {
    /**
     * Takes a job, and returns at once.
     *
     * @param receiver is told what becomes of it
     * @throws DispatchException if the job is not taken, as when a queue is full
     */
    Carried carry(Job job, Receiver receiver);

    /** Gives up all jobs, each of which is told, and frees what it holds. */
    @Override
    void close();

    /**
     * A block to be run elsewhere.
     *
     * @param envelope the block as bytes
     * @param queue where it waits: the name of the model it is for, or an empty text
     * @param repeatable whether it may be started again if nobody knows how it ended
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Job(byte[] envelope, String queue, boolean repeatable) {
        /** Checks that nothing is null. */
        public Job {
            requireNonNull(envelope, "envelope");
            requireNonNull(queue, "queue");
        }
    }

    /** A job that was taken. */
    @FunctionalInterface
    interface Carried {
        /**
         * Takes the job from its queue, or stops it if it runs. Nobody waits for what it comes to.
         * May be called at any time and more than once.
         */
        void cancel();
    }

    /**
     * Is told what becomes of one job: one call at a time, in the order in which it happened, but
     * for calls of an attempt that was believed lost, which may come whenever they do.
     */
    interface Receiver {
        /**
         * A worker has begun.
         *
         * @param attempt the number of times that it was begun, from 1
         */
        void started(String worker, int attempt);

        /** The block has said a line, or how far it is. */
        void said(int attempt, byte[] line);

        /** An attempt is lost; another may follow. */
        void lost(String worker, int attempt, String reason);

        /** An attempt has ended, with what {@link EnvelopeRunner#run} gave. */
        void ended(int attempt, byte[] outcome);

        /** The job is given up. */
        void failed(DispatchException reason);
    }
}
