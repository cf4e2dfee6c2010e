package dev.blockscope.onnx;

/**
 * What a model's cache of segments has done since the model was opened.
 *
 * @param hits how often a segment was there already
 * @param builds how often one had to be built
 * @param evictions how many were given up to stay within the limit
 * @param held how many are held now
 * @since 0.1
 */
public record SegmentStatistics(long hits, long builds, long evictions, long held) {
    /** Returns the figures as a line. */
    @Override
    public String toString() {
        return "%d held, %d hits, %d builds, %d evictions".formatted(held, hits, builds, evictions);
    }
}
