package dev.blockscope.samples;

import static com.google.common.base.Strings.padEnd;
import static com.google.common.base.Strings.padStart;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.font.FontRenderContext;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.HeatMapChart;
import org.knowm.xchart.HeatMapChartBuilder;

/** Draws tables of numbers as colours, several in one picture. */
final class HeatMap {

    /** Room for a number and for the label of its column. */
    private static final int COLUMN = 68;

    private static final int ROW = 60;
    private static final int LEAST_WIDTH = 920;
    private static final int MOST_HEIGHT = 520;

    private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 14);
    private static final Color INK = new Color(0x22, 0x2B, 0x38);

    /** From far to near. All are light enough for a dark number to be read on them. */
    private static final Color[] COLOURS = {
        new Color(0xF7, 0xFB, 0xFF),
        new Color(0xD3, 0xE6, 0xF3),
        new Color(0xA9, 0xD0, 0xE6),
        new Color(0xF9, 0xD9, 0x9A),
        new Color(0xF4, 0xA2, 0x61)
    };

    private HeatMap() {}

    /**
     * A table to draw.
     *
     * @param title what stands above it
     * @param across what the columns are
     * @param columns their labels
     * @param rows the labels of the rows, from the top
     * @param values the numbers, row by row
     * @param least the number with the lightest colour
     * @param most the number with the strongest colour
     */
    record Table(
            String title,
            String across,
            List<String> columns,
            List<String> rows,
            List<List<Double>> values,
            double least,
            double most) {

        Table {
            values = values.stream().map(row -> row.stream().map(Table::shown).toList()).toList();
        }

        /** What would be shown as -0.00 is 0. */
        private static double shown(double value) {
            return Math.abs(value) < 0.005 ? 0 : value;
        }

        /** The table as text: a line with the columns' labels, and one for each row. */
        String text() {
            int label = longest(rows);
            int width = Math.max(6, longest(columns));
            StringBuilder text = new StringBuilder(title).append("\n\n");
            text.append(" ".repeat(label));
            columns.forEach(column -> text.append("  ").append(padStart(column, width, ' ')));
            for (int row = 0; row < rows.size(); row++) {
                text.append('\n').append(padEnd(rows.get(row), label, ' '));
                for (double value : values.get(row)) {
                    String number = String.format(Locale.ROOT, "%.2f", value);
                    text.append("  ").append(padStart(number, width, ' '));
                }
            }
            return text.toString();
        }

        private static int longest(List<String> labels) {
            return labels.stream().mapToInt(String::length).max().orElse(0);
        }
    }

    /** Returns the largest number of a table. */
    static double most(List<List<Double>> values) {
        return values.stream().flatMap(List::stream).mapToDouble(value -> value).max().orElse(0);
    }

    /**
     * Writes tables, side by side, as a PNG file.
     *
     * @throws IOException if the file cannot be written, or the machine has no fonts
     */
    static void write(Path file, List<Table> tables) throws IOException {
        requireFonts();
        List<HeatMapChart> charts = tables.stream().map(HeatMap::chart).toList();
        try (OutputStream png = Files.newOutputStream(file)) {
            BitmapEncoder.saveBitmap(charts, 1, charts.size(), png, BitmapFormat.PNG);
        }
    }

    /** A JDK brings no fonts, and a small machine may have none. */
    static void requireFonts() throws IOException {
        try {
            FONT.getLineMetrics("0", new FontRenderContext(null, true, true));
        } catch (RuntimeException | Error e) {
            throw new IOException(
                    "Java finds no fonts on this machine; on Debian and Ubuntu, "
                            + "apt install fontconfig fonts-dejavu-core brings some",
                    e);
        }
    }

    private static HeatMapChart chart(Table table) {
        HeatMapChart chart =
                new HeatMapChartBuilder()
                        .width(Math.max(LEAST_WIDTH, COLUMN * (table.columns().size() + 2)))
                        .height(Math.min(MOST_HEIGHT, ROW * (table.rows().size() + 3)))
                        .title(table.title())
                        .build();
        chart.setXAxisTitle(table.across());
        style(chart);
        chart.getStyler().setMin(table.least()).setMax(table.most());

        // The chart counts rows from the bottom; a table is read from the top.
        List<List<Double>> rows = table.values().reversed();
        List<Number[]> cells = new ArrayList<>();
        for (int y = 0; y < rows.size(); y++) {
            for (int x = 0; x < rows.get(y).size(); x++) {
                cells.add(new Number[] {x, y, rows.get(y).get(x)});
            }
        }
        chart.addSeries(table.title(), table.columns(), table.rows().reversed(), cells);
        return chart;
    }

    private static void style(HeatMapChart chart) {
        chart.getStyler()
                .setRangeColors(COLOURS)
                .setShowValue(true)
                .setHeatMapValueDecimalPattern("0.00")
                .setValueFont(FONT)
                .setValueFontColor(INK)
                .setDrawBorder(true)
                .setAxisTickLabelsFont(FONT)
                .setAxisTickLabelsColor(INK)
                .setAxisTitleFont(FONT)
                .setPlotContentSize(1)
                .setChartBackgroundColor(Color.WHITE)
                .setChartFontColor(INK)
                .setChartTitleFont(FONT.deriveFont(Font.BOLD, 18))
                .setChartTitleBoxVisible(false)
                .setChartTitlePadding(14)
                .setChartPadding(18)
                .setPlotBorderVisible(false)
                .setLegendVisible(false);
        chart.getStyler()
                .setPlotGridLinesVisible(false)
                .setAxisTicksLineVisible(false)
                .setAxisTicksMarksVisible(false)
                .setAxisTickMarksStroke(new BasicStroke(0));
    }
}
