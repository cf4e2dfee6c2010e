package dev.blockscope.samples;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.knowm.xchart.BitmapEncoder;
import org.knowm.xchart.BitmapEncoder.BitmapFormat;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws what each slot of each worker did when: a bar for each time that a block was begun. */
final class TimelinePicture {
    private static final int WIDTH = 920;
    private static final int LANE = 46;
    private static final int AROUND = 150;
    private static final float BAR = 16;
    private static final String LOST = "lost with its worker";

    private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 14);
    private static final Color[] COLOURS = {
        new Color(0x6B, 0xA9, 0xD0), new Color(0xA9, 0xD0, 0xE6)
    };
    private static final Color OF_LOST = new Color(0xE0, 0x6C, 0x4F);

    private TimelinePicture() {}

    /**
     * Writes a timeline as a PNG file.
     *
     * @param slots how many each worker has
     */
    static void write(Path file, String title, List<Timeline.Attempt> attempts, int slots)
            throws IOException {
        HeatMap.requireFonts();
        try (OutputStream png = Files.newOutputStream(file)) {
            BitmapEncoder.saveBitmap(chart(title, lanes(attempts, slots)), png, BitmapFormat.PNG);
        }
    }

    private static XYChart chart(String title, List<List<Timeline.Attempt>> lanes) {
        XYChart chart =
                new XYChartBuilder()
                        .width(WIDTH)
                        .height(AROUND + LANE * lanes.size())
                        .title(title)
                        .xAxisTitle("seconds")
                        .build();
        Map<String, Bars> series = new LinkedHashMap<>();
        for (int lane = 0; lane < lanes.size(); lane++) {
            for (Timeline.Attempt attempt : lanes.get(lane)) {
                String name = attempt.lost() ? LOST : attempt.worker();
                series.computeIfAbsent(name, it -> new Bars()).add(attempt, lanes.size() - lane);
            }
        }
        int worker = 0;
        for (Map.Entry<String, Bars> each : series.entrySet()) {
            boolean lost = each.getKey().equals(LOST);
            XYSeries drawn = chart.addSeries(each.getKey(), each.getValue().xs, each.getValue().ys);
            drawn.setLineColor(lost ? OF_LOST : COLOURS[worker++ % COLOURS.length]);
            drawn.setLineStyle(new BasicStroke(BAR, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER));
            drawn.setMarker(SeriesMarkers.NONE);
        }
        style(chart, lanes.size(), beginning(lanes));
        return chart;
    }

    /** Bars of one colour: a line from beginning to end, and a gap before the next one. */
    private static final class Bars {
        private final List<Double> xs = new ArrayList<>();
        private final List<Double> ys = new ArrayList<>();

        void add(Timeline.Attempt attempt, int lane) {
            xs.addAll(List.of(attempt.begun(), attempt.ended(), attempt.ended()));
            ys.addAll(List.of((double) lane, (double) lane, Double.NaN));
        }
    }

    /**
     * Returns the attempts slot by slot, as far as one can tell. That a slot is free is heard apart
     * from what it does next, so that two attempts of one may seem to overlap.
     */
    static List<List<Timeline.Attempt>> lanes(List<Timeline.Attempt> attempts, int slots) {
        Map<String, List<List<Timeline.Attempt>>> byWorker = new TreeMap<>();
        List<Timeline.Attempt> inOrder =
                attempts.stream()
                        .sorted(Comparator.comparingDouble(Timeline.Attempt::begun))
                        .toList();
        for (Timeline.Attempt attempt : inOrder) {
            List<List<Timeline.Attempt>> lanes =
                    byWorker.computeIfAbsent(attempt.worker(), it -> new ArrayList<>());
            laneFor(attempt, slots, lanes).add(attempt);
        }
        return byWorker.values().stream().flatMap(List::stream).toList();
    }

    private static List<Timeline.Attempt> laneFor(
            Timeline.Attempt attempt, int slots, List<List<Timeline.Attempt>> lanes) {
        Optional<List<Timeline.Attempt>> free =
                lanes.stream()
                        .min(Comparator.comparingDouble(lane -> lane.getLast().ended()))
                        .filter(lane ->
                                lanes.size() == slots || lane.getLast().ended() <= attempt.begun());
        return free.orElseGet(() -> {
            lanes.add(new ArrayList<>());
            return lanes.getLast();
        });
    }

    private static double beginning(List<List<Timeline.Attempt>> lanes) {
        return lanes.stream().mapToDouble(lane -> lane.getFirst().begun()).min().orElse(0);
    }

    private static void style(XYChart chart, int lanes, double beginning) {
        chart.getStyler()
                .setLegendLayout(LegendLayout.Horizontal)
                .setLegendPosition(LegendPosition.OutsideS)
                .setLegendBorderColor(Color.WHITE)
                .setLegendFont(FONT)
                .setChartBackgroundColor(Color.WHITE)
                .setChartTitleFont(FONT.deriveFont(Font.BOLD, 18))
                .setChartTitleBoxVisible(false)
                .setChartPadding(18)
                .setPlotBorderVisible(false);
        chart.getStyler()
                .setYAxisMin(0.4)
                .setYAxisMax(lanes + 0.6)
                .setXAxisMin(Math.floor(beginning))
                .setYAxisTicksVisible(false)
                .setAxisTickLabelsFont(FONT)
                .setAxisTitleFont(FONT)
                .setPlotGridHorizontalLinesVisible(false);
    }
}
