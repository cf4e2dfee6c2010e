package dev.blockscope.wire;

import dev.blockscope.OutputLine;

/**
 * What a {@link Carrier} says itself where a {@link JobRunner} cannot: outcomes of jobs that were
 * not run or whose outcome is not sent, and lines about lines.
 *
 * @since 0.1
 */
public final class Outcomes {
    private Outcomes() {}

    /** Returns the outcome of a job that was not run, or failed for no reason of its own. */
    public static byte[] refusal(String reason) {
        return Outcome.refusal(reason);
    }

    /**
     * Returns an outcome, or another one that tells its size and that of the largest variable.
     *
     * @param outcome what a {@link JobRunner} gave
     * @param most how many bytes are sent at most
     * @param vocabulary the vocabulary of the runner
     */
    public static byte[] within(int most, byte[] outcome, Vocabulary vocabulary) {
        return outcome.length <= most ? outcome : Outcome.tooLarge(outcome, most, vocabulary);
    }

    /** Returns what stands for an outcome that is not taken because it is too large. */
    public static byte[] tooLarge(String reason) {
        return Outcome.tooLarge(reason);
    }

    /** Returns a line as {@link Carrier.Receiver#said} takes it. */
    public static byte[] line(OutputLine line) {
        return new WireOutput(0, new WireOutput.Line(line)).toBytes();
    }
}
