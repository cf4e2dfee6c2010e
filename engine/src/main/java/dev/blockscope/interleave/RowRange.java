package dev.blockscope.interleave;

/**
 * Some rows of the values of a batch.
 *
 * @param from the first row, 0-based
 * @param to the row behind the last
 * @param total how many rows the batch has
 * @since 0.1
 */
public record RowRange(int from, int to, int total) {}
