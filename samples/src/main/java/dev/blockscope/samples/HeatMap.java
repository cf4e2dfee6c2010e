package dev.blockscope.samples;

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
import java.util.Map;
import java.util.stream.IntStream;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.HeatMapChart;
import org.knowm.xchart.HeatMapChartBuilder;

/** Draws tables of numbers as colours, several in one picture. */
final class HeatMap {

    private static final int LONGEST_LABEL = 40;
    private static final int WIDTH = 920;
    private static final int HEIGHT = 520;

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
            double most) {}

    /**
     * Writes tables of cosines, by their titles, as a PNG file.
     *
     * @throws IOException if the file cannot be written, or the machine has no fonts
     */
    static void write(Path file, Map<String, CosineTable> tables) throws IOException {
        List<Table> all = new ArrayList<>();
        tables.forEach((title, table) -> all.add(table(title, table)));
        write(file, all);
    }

    /**
     * Writes tables, one above the other, as a PNG file.
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

    private static Table table(String title, CosineTable cosines) {
        return new Table(
                title,
                "sentence",
                IntStream.rangeClosed(1, cosines.size()).mapToObj(Integer::toString).toList(),
                IntStream.range(0, cosines.size()).mapToObj(row -> label(cosines, row)).toList(),
                cosines.rows(),
                0,
                1);
    }

    /** A JDK brings no fonts, and a small machine may have none. */
    private static void requireFonts() throws IOException {
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
                new HeatMapChartBuilder().width(WIDTH).height(HEIGHT).title(table.title()).build();
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

    private static String label(CosineTable table, int row) {
        String text = table.texts().get(row);
        String shortened =
                text.length() <= LONGEST_LABEL
                        ? text
                        : text.substring(0, LONGEST_LABEL - 1).stripTrailing() + "…";
        return (row + 1) + "  " + shortened;
    }
}
