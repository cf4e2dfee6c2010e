package dev.blockscope.wire;

import dev.blockscope.StopSignal;
import java.util.function.Consumer;

/**
 * Runs jobs that come as bytes, at the other end of a {@link Carrier}: {@link EnvelopeRunner} runs
 * blocks. Used by many threads at once.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface JobRunner {
    /**
     * Runs a job on this thread.
     *
     * @param job the job, as {@link Carrier.Job} has it
     * @param signal stops it
     * @param said is given each line that it says, and how far it is, as {@link
     *     Carrier.Receiver#said} takes it
     * @return the outcome, as {@link Carrier.Receiver#ended} takes it
     */
    byte[] run(byte[] job, StopSignal signal, Consumer<byte[]> said);
}
