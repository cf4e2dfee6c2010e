package dev.blockscope.bench;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.Frame;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What captured blocks keep on the heap, and whether frames that come and go leave anything there.
 * JMH has no word for either.
 */
public final class Heap {
    /** Frames that are made and forgotten if nobody says how many. */
    static final int FRAMES = 20_000;

    private static final int WARM_UP = 1_000;
    private static final int BLOCKS = 100_000;
    private static final int KIBIBYTE = 1 << 10;
    private static final double MEBIBYTE = 1 << 20;

    private Heap() {}

    /**
     * Prints both.
     *
     * @param args the number of frames, if not the default
     */
    public static void main(String[] args) {
        int frames = args.length == 0 ? FRAMES : Integer.parseInt(args[0]);
        System.out.println(Row.HEADER);
        rows(frames).map(Row::line).forEach(System.out::println);
    }

    /** Returns the rows of the table, one after the other. */
    static Stream<Row> rows(int frames) {
        return Stream.<Supplier<Row>>of(Heap::perBlock, () -> growth(frames)).map(Supplier::get);
    }

    /**
     * The text is known and the values are shared: what is counted is the block and its snapshot.
     */
    private static Row perBlock() {
        Map<String, @Nullable Object> locals = new HashMap<>(SmallJob.localsAndResults());
        IntStream.range(0, 3).forEach(i -> locals.put("other" + i, i));
        try (BlockEngine engine = BlockEngine.create()) {
            Frame frame = Frame.of(locals);
            Block[] blocks = new Block[BLOCKS];
            engine.capture(SmallJob.TEXT, frame).run();
            double before = used();
            double each;
            try {
                for (int i = 0; i < BLOCKS; i++) {
                    blocks[i] = engine.capture(SmallJob.TEXT, frame);
                }
                each = (used() - before) / BLOCKS;
            } finally {
                Reference.reachabilityFence(blocks);
            }
            return new Row(
                    "heap kept per captured block of a known text, 10 names, against 1 KiB",
                    bytes(each),
                    bytes(KIBIBYTE),
                    each / KIBIBYTE,
                    1,
                    false);
        }
    }

    private static Row growth(int frames) {
        try (BlockEngine engine = BlockEngine.create()) {
            runInFrames(engine, WARM_UP);
            double before = used();
            runInFrames(engine, frames - WARM_UP);
            double after = used();
            return new Row(
                    String.format(
                            Locale.ROOT,
                            "heap used after %,d frames of one block each, against after %,d",
                            frames,
                            WARM_UP),
                    mebibytes(after),
                    mebibytes(before),
                    after / before,
                    // The heap of a JVM breathes by a few percent.
                    1.1,
                    false);
        }
    }

    private static void runInFrames(BlockEngine engine, int frames) {
        for (int i = 0; i < frames; i++) {
            Map<String, @Nullable Object> locals = SmallJob.locals();
            engine.capture(SmallJob.TEXT, Frame.of(locals)).run();
            var _ = SmallJob.checked(locals);
        }
    }

    /** Returns the bytes in use when nothing more can be collected. */
    private static double used() {
        double used = Double.MAX_VALUE;
        while (true) {
            System.gc();
            double now = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
            // What waits for a reference to be cleared goes with the next collection.
            if (now > used * 0.999) {
                return Math.min(now, used);
            }
            used = now;
        }
    }

    private static String bytes(double bytes) {
        return String.format(Locale.ROOT, "%.0f B", bytes);
    }

    private static String mebibytes(double bytes) {
        return String.format(Locale.ROOT, "%.1f MiB", bytes / MEBIBYTE);
    }
}
