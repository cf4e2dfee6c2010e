package dev.blockscope.samples;

import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.GuestFunction;
import dev.blockscope.PushException;
import dev.blockscope.Rendering;
import java.io.IOException;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Shows what failing blocks tell, one way to fail after the other.
 *
 * <p>Each block stands at line 41 of a file {@code rules.js}; what it prints is what a host prints
 * that catches the exception.
 */
final class Traceback {
    private static final List<Stop> TOUR =
            List.of(
                    new Stop(
                            "An error in a function: the innermost line first, then who called.",
                            """
                            const price = line => line.item.price * line.count
                            const total = order => order.lines.map(price)
                            total({ lines: [{ count: 2 }] })
                            """),
                    new Stop(
                            "A text that does not parse is refused when it is captured.",
                            """
                            let net = 100
                            var = net * 1.19
                            """),
                    new Stop(
                            "What is thrown need not be an error.",
                            "throw { code: 7, why: 'no stock' }"),
                    new Stop(
                            "An exception of the host is the cause, the very same object.",
                            """
                            function keep(order) {
                              disk.write(order)
                            }
                            keep({ id: 7 })
                            """),
                    new Stop(
                            "It stays so when the block wraps it.",
                            """
                            try {
                              disk.write(1)
                            } catch (e) {
                              throw new Error('the order was not kept', { cause: e })
                            }
                            """),
                    new Stop(
                            "A callback that the host calls: the host's own lines are left out.",
                            """
                            each([1, 2], n => {
                              if (n > 1) nope(n)
                            })
                            """),
                    new Stop(
                            "Code made of a string is shown at the line that made it.",
                            "const formula = 'a + '\n  eval(formula + 'b')"),
                    new Stop(
                            "Several errors at once.",
                            "throw new AggregateError([new Error('one'), new Error('two')], 'nothing worked')"),
                    new Stop(
                            "Wide characters, tabs and long lines keep the caret in its place.",
                            "\tlet 合計 = ['りんご', '🍏'];\tnope(合計); " + "more(); ".repeat(30)),
                    new Stop(
                            "A name that the frame refuses is shown where it was assigned.",
                            "total = 12\nprice = 'free'"));

    private Traceback() {}

    /** Prints the tour. */
    public static void main(String[] args) {
        tour(System.out, Rendering.terminal());
    }

    /** Prints the tour. */
    static void tour(PrintStream out, Rendering rendering) {
        try (BlockEngine engine = BlockEngine.create()) {
            for (Stop stop : TOUR) {
                out.println(stop.title());
                out.println();
                out.println(failureOf(stop, engine, rendering).indent(2));
            }
        }
    }

    private static String failureOf(Stop stop, BlockEngine engine, Rendering rendering) {
        BlockSource source = BlockSource.javaScript(stop.text(), "rules.js").startingAt(41, 1);
        try {
            engine.capture(source, Frame.of(new Prices(names()))).run();
        } catch (BlockException e) {
            return e.traceback().render(rendering);
        } catch (PushException e) {
            return e.traceback().render(rendering);
        }
        throw new AssertionError("a block of the tour did not fail: " + stop.title());
    }

    /** What the blocks find around them. */
    private static Map<String, @Nullable Object> names() {
        Callable<Object> write =
                () -> {
                    throw new IOException(
                            "disk full", new IOException("quota of 10 MB is used up"));
                };
        Each each = (items, f) -> items.forEach(f::call);
        Map<String, @Nullable Object> names = new HashMap<>();
        names.put("disk", Map.of("write", write));
        names.put("each", each);
        names.put("price", 4);
        return names;
    }

    /** A host function that calls a function of the block. */
    @FunctionalInterface
    interface Each {
        /** Calls the function with each item. */
        void each(List<Object> items, GuestFunction f);
    }

    /** Locals whose price must be a number. */
    private static final class Prices extends HashMap<String, @Nullable Object> {
        private static final long serialVersionUID = 1L;

        Prices(Map<String, @Nullable Object> names) {
            super(names);
        }

        @Override
        public @Nullable Object put(String name, @Nullable Object value) {
            if (name.equals("price") && !(value instanceof Number)) {
                throw new IllegalArgumentException("a price is a number, this is \"" + value + '"');
            }
            return super.put(name, value);
        }
    }

    private record Stop(String title, String text) {}
}
