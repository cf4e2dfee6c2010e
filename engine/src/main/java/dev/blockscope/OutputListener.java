package dev.blockscope;

/**
 * Takes what blocks say with {@code console} and {@code print}.
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
}
