package dev.blockscope.samples;

import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * Shows on standard error how far a sample is, and takes the line away at the end. It shows nothing
 * where standard error is no terminal, so that a log stays clean.
 */
final class Progress implements AutoCloseable {

    /** Set by the launcher, as Java itself cannot tell what standard error is connected to. */
    private static final boolean ON_A_TERMINAL = Boolean.getBoolean("blockscope.samples.terminal");

    private static final int COLUMNS = 78;

    private final @Nullable ProgressBar bar;
    private int started;

    private Progress(@Nullable ProgressBar bar) {
        this.bar = bar;
    }

    /** Starts to show progress of that many steps. */
    static Progress of(int steps) {
        if (!ON_A_TERMINAL) {
            return new Progress(null);
        }
        return new Progress(
                new ProgressBarBuilder()
                        .setInitialMax(steps)
                        .setStyle(ProgressBarStyle.COLORFUL_UNICODE_BLOCK)
                        .setConsumer(new ErasableLine())
                        .setUpdateIntervalMillis(100)
                        .hideEta()
                        .clearDisplayOnFinish()
                        .build());
    }

    /** Says what begins now; the step before it is done. */
    void step(String what) {
        if (bar != null) {
            bar.setExtraMessage(what);
            bar.stepTo(started++);
            bar.refresh();
        }
    }

    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }

    /** A line on standard error that leaves nothing behind, not even its end. */
    private static final class ErasableLine extends ConsoleProgressBarConsumer {
        ErasableLine() {
            super(System.err, COLUMNS);
        }

        @Override
        public void close() {
            System.err.flush();
        }
    }
}
