package dev.blockscope.bench;

import java.util.Locale;

/**
 * One row of the table.
 *
 * @param measure what is compared
 * @param ours our figure, with its unit
 * @param other the figure it is held against, with its unit
 * @param ratio ours by other
 * @param limit what the ratio may be at most or must be at least, or NaN if there is no limit
 * @param atLeast whether the limit is a lower one
 */
record Row(String measure, String ours, String other, double ratio, double limit, boolean atLeast) {

    static final String HEADER =
            """
            | measure | ours | other | ratio | limit | |
            | --- | ---: | ---: | ---: | ---: | --- |\
            """;

    /** Returns the row as a line of a Markdown table. */
    String line() {
        return String.format(
                Locale.ROOT,
                "| %s | %s | %s | " + (ratio < 0.1 ? "%.4f" : "%.2f") + " | %s | %s |",
                measure,
                ours,
                other,
                ratio,
                Double.isNaN(limit) ? "" : (atLeast ? "≥ " : "≤ ") + limit,
                verdict());
    }

    private String verdict() {
        if (Double.isNaN(limit)) {
            return "";
        }
        return (atLeast ? ratio >= limit : ratio <= limit) ? "ok" : "missed";
    }

    /** Returns a time with a unit that suits it. */
    static String ofMicroseconds(double time) {
        return Math.abs(time) < 1000
                ? String.format(Locale.ROOT, "%.3g µs", time)
                : String.format(Locale.ROOT, "%.2f ms", time / 1000);
    }
}
