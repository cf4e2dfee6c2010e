package dev.blockscope;

/**
 * Takes what blocks say with {@code console} and {@code print}, and how far they say they are.
 *
 * {@snippet :
 * List<OutputLine> said = new ArrayList<>();
 * engine.capture("console.warn('low on %s', name)", frame).withOutput(said::add).run();
 * }
 *
 * @since 0.1
 */
@FunctionalInterface
public interface OutputListener {
    /**
     * Takes one line, on the thread that runs the block and while it runs: a listener that takes
     * long holds the block up. What it throws is thrown in the block, where it was said.
     *
     * @param line what the block said, and where
     */
    void print(OutputLine line);

    /**
     * Takes how far the block is, which it says with {@code console.progress(done, total)}: in the
     * order of its lines, on the same thread, and with the same consequences of what is thrown. A
     * block may say it as often as it likes; it is handed on ten times a second at most, and once
     * more when all is done. Does nothing if it is not overridden.
     *
     * @param done how much is done, from 0 to {@code total}
     * @param total how much there is to do, more than 0; a number of anything
     */
    default void progress(double done, double total) {}
}
