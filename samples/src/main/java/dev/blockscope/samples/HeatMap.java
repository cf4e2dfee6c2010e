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

/** Draws tables of cosines beside each other in one picture, on one scale of colours. */
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
     * Writes the tables, by their titles, as a PNG file.
     *
     * @throws IOException if the file cannot be written, or the machine has no fonts
     */
    static void write(Path file, Map<String, CosineTable> tables) throws IOException {
        requireFonts();
        List<HeatMapChart> charts = new ArrayList<>();
        tables.forEach((title, table) -> charts.add(chart(title, table)));
        try (OutputStream png = Files.newOutputStream(file)) {
            BitmapEncoder.saveBitmap(charts, 1, charts.size(), png, BitmapFormat.PNG);
        }
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

    private static HeatMapChart chart(String title, CosineTable table) {
        HeatMapChart chart =
                new HeatMapChartBuilder().width(WIDTH).height(HEIGHT).title(title).build();
        chart.setXAxisTitle("sentence");
        style(chart);

        // The chart counts rows from the bottom; a table is read from the top.
        List<Integer> rows =
                IntStream.range(0, table.size()).map(i -> table.size() - 1 - i).boxed().toList();
        List<String> columns =
                IntStream.rangeClosed(1, table.size()).mapToObj(Integer::toString).toList();
        List<Number[]> cells = new ArrayList<>();
        for (int y = 0; y < table.size(); y++) {
            for (int x = 0; x < table.size(); x++) {
                cells.add(new Number[] {x, y, table.at(rows.get(y), x)});
            }
        }
        chart.addSeries(
                "cosine", columns, rows.stream().map(row -> label(table, row)).toList(), cells);
        return chart;
    }

    private static void style(HeatMapChart chart) {
        chart.getStyler()
                .setRangeColors(COLOURS)
                .setMin(0)
                .setMax(1)
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
