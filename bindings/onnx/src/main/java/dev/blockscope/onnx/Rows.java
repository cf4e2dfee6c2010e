package dev.blockscope.onnx;

import java.util.stream.IntStream;

/** Walks through layouts of one shape in step, a row of the last dimension at a time. */
final class Rows {
    private final Layout[] layouts;
    private final Visitor visitor;

    /** What is done with a row. */
    @FunctionalInterface
    interface Visitor {
        /**
         * Called for each row, in row-major order.
         *
         * @param starts where the row starts in each layout's storage; valid during the call
         * @param count the number of elements in the row
         */
        void row(int[] starts, int count);
    }

    private Rows(Layout[] layouts, Visitor visitor) {
        this.layouts = layouts;
        this.visitor = visitor;
    }

    /** Walks through all rows. A scalar is one row of one element. */
    static void walk(Visitor visitor, Layout... layouts) {
        if (layouts[0].size() > 0) {
            int[] starts = new int[layouts.length];
            for (int k = 0; k < starts.length; k++) {
                starts[k] = layouts[k].offset();
            }
            new Rows(layouts, visitor).descend(0, starts);
        }
    }

    /** Walks through all rows, long ones in pieces of at most {@code longest} elements. */
    static void walk(Visitor visitor, int longest, Layout... layouts) {
        int[] steps = new int[layouts.length];
        for (int k = 0; k < steps.length; k++) {
            steps[k] = step(layouts[k]);
        }
        walk(
                (starts, count) -> {
                    int[] at = starts.clone();
                    for (int done = 0; done < count; done += longest) {
                        visitor.row(at, Math.min(longest, count - done));
                        for (int k = 0; k < at.length; k++) {
                            at[k] += longest * steps[k];
                        }
                    }
                },
                layouts);
    }

    /** Returns how far apart the elements of a row are. */
    static int step(Layout layout) {
        return layout.rank() == 0 ? 0 : layout.stride(layout.rank() - 1);
    }

    /**
     * Makes rows as long as they can be: neighbouring dimensions become one wherever all layouts
     * step evenly through both.
     */
    static Layout[] merge(Layout... layouts) {
        Layout[] merged = layouts.clone();
        for (int d = layouts[0].rank() - 2; d >= 0; d--) {
            if (areEven(merged, d)) {
                for (int k = 0; k < merged.length; k++) {
                    merged[k] = merged[k].join(d);
                }
            }
        }
        return merged;
    }

    private static boolean areEven(Layout[] layouts, int dim) {
        for (Layout layout : layouts) {
            if (!layout.isEven(dim)) {
                return false;
            }
        }
        return true;
    }

    /** Returns where each row starts, in row-major order. */
    static int[] starts(Layout layout) {
        IntStream.Builder starts = IntStream.builder();
        walk((at, _) -> starts.add(at[0]), layout);
        return starts.build().toArray();
    }

    private void descend(int dim, int[] starts) {
        Layout first = layouts[0];
        if (dim >= first.rank() - 1) {
            visitor.row(starts, first.rank() == 0 ? 1 : first.dim(dim));
            return;
        }
        int[] inner = starts.clone();
        for (int i = 0; i < first.dim(dim); i++) {
            descend(dim + 1, inner);
            for (int k = 0; k < layouts.length; k++) {
                inner[k] += layouts[k].stride(dim);
            }
        }
    }
}
