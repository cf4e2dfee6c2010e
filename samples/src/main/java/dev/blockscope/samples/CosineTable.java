package dev.blockscope.samples;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * How close each of some texts is to each other one: a symmetric table of cosines, 1 for the same
 * direction.
 *
 * @param texts what the rows and columns stand for
 * @param rows the cosines, row by row
 */
record CosineTable(List<String> texts, List<List<Double>> rows) {
    private static final int LONGEST_LABEL = 40;

    CosineTable {
        texts = List.copyOf(texts);
        rows = rows.stream().map(List::copyOf).toList();
        checkArgument(
                rows.size() == texts.size(),
                "a table of %s texts has %s rows",
                texts.size(),
                rows.size());
    }

    /** Compares each embedding with each. */
    static CosineTable of(List<String> texts, List<float[]> embeddings) {
        return new CosineTable(
                texts,
                embeddings.stream()
                        .map(a -> embeddings.stream().map(b -> cosine(a, b)).toList())
                        .toList());
    }

    int size() {
        return texts.size();
    }

    double at(int row, int column) {
        return rows.get(row).get(column);
    }

    /** The largest absolute difference to another table of the same texts. */
    double largestChange(CosineTable other) {
        checkArgument(
                other.size() == size(),
                "a table of %s texts is compared with one of %s",
                size(),
                other.size());
        return IntStream.range(0, size())
                .boxed()
                .flatMapToDouble(row ->
                        IntStream.range(0, size())
                                .mapToDouble(column ->
                                        Math.abs(at(row, column) - other.at(row, column))))
                .max()
                .orElse(0);
    }

    /** The table as text: a line for each text, numbered, with its cosines to all of them. */
    String render() {
        int width = texts.stream().mapToInt(String::length).max().orElse(0);
        var text = new StringBuilder(" ".repeat(width + 4));
        for (int column = 0; column < size(); column++) {
            text.append("%7d".formatted(column + 1));
        }
        for (int row = 0; row < size(); row++) {
            text.append('\n').append(("%3d %-" + width + "s").formatted(row + 1, texts.get(row)));
            for (double cosine : rows.get(row)) {
                text.append(String.format(Locale.ROOT, "%7.3f", cosine));
            }
        }
        return text.toString();
    }

    /** The table to draw, with the texts beside its rows. */
    HeatMap.Table picture(String title) {
        return new HeatMap.Table(
                title,
                "sentence",
                IntStream.rangeClosed(1, size()).mapToObj(Integer::toString).toList(),
                IntStream.range(0, size()).mapToObj(this::label).toList(),
                rows,
                0,
                1);
    }

    private String label(int row) {
        String text = texts.get(row);
        String shortened =
                text.length() <= LONGEST_LABEL
                        ? text
                        : text.substring(0, LONGEST_LABEL - 1).stripTrailing() + "…";
        return (row + 1) + "  " + shortened;
    }

    private static double cosine(float[] a, float[] b) {
        double product = 0;
        double lengthOfA = 0;
        double lengthOfB = 0;
        for (int i = 0; i < a.length; i++) {
            product += (double) a[i] * b[i];
            lengthOfA += (double) a[i] * a[i];
            lengthOfB += (double) b[i] * b[i];
        }
        return product / Math.sqrt(lengthOfA * lengthOfB);
    }
}
