package dev.blockscope.onnx;

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
            for (int i = 0; i < layouts.length; i++) {
                starts[i] = layouts[i].offset();
            }
            new Rows(layouts, visitor).descend(0, starts);
        }
    }

    /** Returns how far apart the elements of a row are. */
    static int step(Layout layout) {
        return layout.rank() == 0 ? 0 : layout.stride(layout.rank() - 1);
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
