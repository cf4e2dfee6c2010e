package dev.blockscope.redeployed;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.Frame;
import dev.blockscope.GuestFunction;
import dev.blockscope.Limits;
import dev.blockscope.interleave.Envoy;
import dev.blockscope.interleave.HookPoints;
import dev.blockscope.interleave.Interleaver;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.graalvm.polyglot.HostAccess;

/** What an application does with blocks, on threads and with a library that outlive it. */
public final class Application implements Callable<String> {
    private static final HookPoints POINTS = HookPoints.of(List.of("price"));
    private static final Limits LIMITS = Limits.builder().time(Duration.ofSeconds(30)).build();

    @Override
    public String call() {
        Map<String, Object> locals = new HashMap<>(Map.of("order", new Order(20)));
        Frame frame = Frame.of(locals);
        locals.put("discount", (Function<Order, Integer>) order -> order.price() / 2);
        locals.put("it", Envoy.of(POINTS));
        locals.put("fail", (Runnable) Application::fail);
        try (BlockEngine engine = BlockEngine.create()) {
            engine.capture("twice = x => 2 * x; row = { order }; total = order.price()", frame)
                    .run();
            engine.capture("total += await discount(order)", frame).run();
            engine.capture("for (let i = 0; i < 9; i++) total++", frame).within(LIMITS).run();
            inStep(engine.capture("doubled = 2 * it.price", frame));
            return "%s, %s, %s, %s"
                    .formatted(
                            locals.get("total"),
                            locals.get("doubled"),
                            ((GuestFunction) locals.get("twice")).call(21),
                            failure(engine, frame));
        }
    }

    private static void inStep(Block block) {
        Interleaver.of(POINTS).run(List.of(block), visits -> visits.visit("price", 7));
    }

    private static String failure(BlockEngine engine, Frame frame) {
        try {
            engine.capture("fail()", frame).run();
            return "no failure";
        } catch (BlockException e) {
            return e.getMessage();
        }
    }

    private static void fail() {
        throw new Refusal();
    }

    /** A host object of the application's own. */
    public static final class Order {
        private final int price;

        Order(int price) {
            this.price = price;
        }

        /** Returns the price, for blocks too. */
        @HostAccess.Export
        public int price() {
            return price;
        }
    }

    private static final class Refusal extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Refusal() {
            super("refused");
        }
    }
}
