package dev.blockscope.application;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.Frame;
import java.util.HashMap;
import java.util.Map;

/** A program of a user's, in a package of its own: it says what its blocks came to. */
public final class Application {
    private Application() {}

    public static void main(String[] arguments) {
        Map<String, Object> locals = new HashMap<>(Map.of("price", 3, "quantity", 4));
        Frame frame = Frame.of(locals);
        try (BlockEngine engine = BlockEngine.create()) {
            Block first =
                    engine.capture("let n = 0; total = price * quantity; inc = () => ++n", frame);
            Block sibling = engine.capture("inc(); inc(); n", frame);
            first.run();
            System.out.println("total " + locals.get("total"));
            System.out.println("sibling " + sibling.run().value());
            System.out.println("error " + failureOf(engine.capture("1;\n  nope", frame)));
        } catch (IllegalStateException e) {
            System.out.println("told: " + e.getMessage());
        }
    }

    private static String failureOf(Block block) {
        try {
            return "none, but " + block.run();
        } catch (BlockException e) {
            return e.traceback().render().lines().findFirst().orElse("");
        }
    }
}
