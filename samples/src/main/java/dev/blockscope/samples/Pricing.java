package dev.blockscope.samples;

import static java.util.Objects.requireNonNull;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.interleave.Envoy;
import dev.blockscope.interleave.Interleaver;
import dev.blockscope.interleave.Trace;
import dev.blockscope.samples.PricingPipeline.Line;
import dev.blockscope.samples.PricingPipeline.Order;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lets users' blocks inspect, change and veto the steps of a shop's pricing, and reports on them.
 *
 * <p>Arguments are files with blocks of your own, which run instead of the sample's. They see
 * {@code order}, {@code limit} and {@code pricing}, the steps of {@link PricingPipeline}.
 */
final class Pricing {
    private static final List<String> RULES =
            List.of("inspect.js", "loyalty.js", "export.js", "veto.js");

    private static final double LIMIT = 5_000;

    private static final List<Order> ORDERS =
            List.of(
                    new Order(
                            "Ada",
                            12,
                            "DE",
                            List.of(new Line("desk", 1, 420), new Line("lamp", 2, 65))),
                    new Order("Blaise", 1, "CH", List.of(new Line("chair", 4, 99))),
                    new Order("Carl", 3, "FR", List.of(new Line("server", 9, 1_250))));

    private final PrintWriter out;
    private final Interleaver pricing =
            Interleaver.builder(PricingPipeline.POINTS).timeout(Duration.ofSeconds(30)).build();

    private Pricing(PrintWriter out) {
        this.out = out;
    }

    /** Runs the sample; the exit status is 1 if a block fails and 2 if a file cannot be read. */
    public static void main(String[] args) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        System.exit(run(out, new PrintWriter(System.err, true, StandardCharsets.UTF_8), args));
    }

    static int run(PrintWriter out, PrintWriter err, String... files) {
        try (BlockEngine engine = BlockEngine.create()) {
            List<BlockSource> rules = files.length == 0 ? ownRules() : read(files);
            new Pricing(out).price(engine, rules);
            return 0;
        } catch (BlockException e) {
            err.println(e.traceback().render());
            return 1;
        } catch (IOException e) {
            err.println("pricing: cannot read " + e.getMessage());
            return 2;
        }
    }

    private void price(BlockEngine engine, List<BlockSource> rules) {
        print("The steps of the pricing, as blocks see them:%n");
        print("%s%n", PricingPipeline.POINTS.toString().indent(4).stripTrailing());
        for (Order order : ORDERS) {
            price(order, engine, rules);
        }
    }

    private void price(Order order, BlockEngine engine, List<BlockSource> rules) {
        Map<String, @Nullable Object> locals = new LinkedHashMap<>();
        locals.put("order", order);
        locals.put("limit", LIMIT);
        locals.put("pricing", Envoy.of(PricingPipeline.POINTS));
        Frame frame = Frame.of(locals);
        List<Block> blocks = rules.stream().map(rule -> engine.capture(rule, frame)).toList();

        Trace<Double> trace = pricing.run(blocks, visits -> PricingPipeline.price(order, visits));

        print("%s, %s", order.customer(), order.country());
        double asItIs =
                pricing.run(List.of(), visits -> PricingPipeline.price(order, visits)).result();
        trace.stopped()
                .ifPresentOrElse(
                        by -> print("    vetoed by %s", by),
                        () -> print("    %.2f instead of %.2f", trace.result(), asItIs));
        locals.keySet().removeAll(List.of("order", "limit", "pricing"));
        print("    pushed %s", locals);
        print("%s%n", trace.report().toString().indent(4).stripTrailing());
    }

    private void print(String form, Object... values) {
        out.printf(Locale.ROOT, form + "%n", values);
    }

    private static List<BlockSource> ownRules() throws IOException {
        List<BlockSource> rules = new ArrayList<>();
        for (String name : RULES) {
            try (InputStream text =
                    requireNonNull(Pricing.class.getResourceAsStream("pricing/" + name), name)) {
                rules.add(
                        BlockSource.javaScript(
                                new String(text.readAllBytes(), StandardCharsets.UTF_8), name));
            }
        }
        return rules;
    }

    private static List<BlockSource> read(String[] files) throws IOException {
        List<BlockSource> rules = new ArrayList<>();
        for (String file : files) {
            rules.add(BlockSource.javaScript(Files.readString(Path.of(file)), file));
        }
        return rules;
    }
}
