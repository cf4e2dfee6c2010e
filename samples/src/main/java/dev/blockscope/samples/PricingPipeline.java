package dev.blockscope.samples;

import dev.blockscope.interleave.HookModule;
import dev.blockscope.interleave.HookPoint;
import dev.blockscope.interleave.HookPoints;
import dev.blockscope.interleave.Visits;
import java.util.List;
import java.util.Map;

/** How a shop prices an order: an ordinary computation whose steps have names. */
final class PricingPipeline {
    static final HookPoints POINTS =
            HookPoints.builder()
                    .point("line.amount", Double.class)
                    .point("net", Double.class)
                    .module("discount", Double.class)
                    .module("tax", Double.class)
                    .point("tax.rate", Double.class)
                    .point("total", Double.class)
                    .alias("vat", "tax")
                    .build();

    private static final HookPoint<Double> AMOUNT = POINTS.point("line.amount", Double.class);
    private static final HookPoint<Double> NET = POINTS.point("net", Double.class);
    private static final HookModule<Double> DISCOUNT = POINTS.module("discount", Double.class);
    private static final HookModule<Double> TAX = POINTS.module("tax", Double.class);
    private static final HookPoint<Double> RATE = POINTS.point("tax.rate", Double.class);
    private static final HookPoint<Double> TOTAL = POINTS.point("total", Double.class);

    private static final Map<String, Double> RATES = Map.of("DE", 0.19, "FR", 0.20, "CH", 0.081);

    /** What a customer orders. */
    record Order(String customer, int years, String country, List<Line> lines) {}

    /** One line of an order. */
    record Line(String article, int quantity, double price) {}

    private PricingPipeline() {}

    /** Returns what an order costs; blocks look in at each step. */
    static double price(Order order, Visits visits) {
        double sum = 0;
        for (Line line : order.lines()) {
            sum += visits.visit(AMOUNT, line.quantity() * line.price());
        }
        double net = visits.visit(NET, sum);
        double discount =
                visits.module(DISCOUNT, List.of(net), inputs -> discountOf(number(inputs)));
        double tax =
                visits.module(
                        TAX, List.of(net - discount), inputs -> tax(order, number(inputs), visits));
        return visits.visit(TOTAL, net - discount + tax);
    }

    /** Large orders are two percent cheaper. */
    private static double discountOf(double net) {
        return net > 500 ? 0.02 * net : 0;
    }

    private static double tax(Order order, double taxed, Visits visits) {
        return taxed * visits.visit(RATE, RATES.getOrDefault(order.country(), 0.0));
    }

    /** A block may have put a whole number there. */
    private static double number(List<?> inputs) {
        return inputs.getFirst() instanceof Number number ? number.doubleValue() : Double.NaN;
    }
}
