package dev.blockscope.bench;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.graalvm.polyglot.Source;
import org.jspecify.annotations.Nullable;

/** The job that every contender does: five names in, two out, back into a map. */
final class SmallJob {
    /** In a form that means the same in JavaScript, Groovy and JEXL. */
    static final String TEXT =
            """
            subtotal = price * quantity;
            total = subtotal * (1 - discount) * (1 + tax) + shipping
            """;

    /** The same as a function that is called by hand. */
    static final String FUNCTION =
            """
            (price, quantity, discount, tax, shipping) => {
              const subtotal = price * quantity;
              const total = subtotal * (1 - discount) * (1 + tax) + shipping;
              return [subtotal, total];
            }
            """;

    static final Source SOURCE = Source.create("js", TEXT);

    static final List<String> IN = List.of("price", "quantity", "discount", "tax", "shipping");

    static final List<String> OUT = List.of("subtotal", "total");

    private SmallJob() {}

    /** Returns the five names with their values. */
    static Map<String, @Nullable Object> locals() {
        Map<String, @Nullable Object> locals = new HashMap<>();
        locals.put("price", 3);
        locals.put("quantity", 4);
        locals.put("discount", 0.25);
        locals.put("tax", 0.19);
        locals.put("shipping", 4.9);
        return locals;
    }

    /** Returns the seven names, those that the job assigns with a value from before. */
    static Map<String, @Nullable Object> localsAndResults() {
        Map<String, @Nullable Object> locals = locals();
        OUT.forEach(name -> locals.put(name, 0));
        return locals;
    }

    /**
     * Returns what was computed, after a look whether it is right: a contender that is fast because
     * it does nothing has no place in the table.
     */
    static @Nullable Object checked(Map<String, @Nullable Object> locals) {
        Object total = locals.get("total");
        if (total instanceof Number number && Math.abs(number.doubleValue() - 15.61) < 1e-9) {
            return total;
        }
        throw new AssertionError("the total is " + total);
    }
}
