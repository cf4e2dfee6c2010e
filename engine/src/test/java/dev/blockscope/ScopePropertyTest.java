package dev.blockscope;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.jspecify.annotations.Nullable;

/** Whatever hosts and blocks do in any order: a name is looked up in own, shared, globals. */
class ScopePropertyTest {
    private static final List<String> NAMES = List.of("a", "b", "c");
    private static BlockEngine engine;

    @BeforeContainer
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterContainer
    static void close() {
        engine.close();
    }

    enum Deed {
        LOCAL,
        LOCAL_REMOVED,
        SHARED,
        GLOBAL,
        GLOBAL_REMOVED,
        ASSIGN,
        DECLARE,
        THROUGH_GLOBAL_THIS,
        ASSIGN_AND_PUSH,
        FAIL
    }

    record Step(Deed deed, String name, int value) {}

    @Provide
    Arbitrary<List<Step>> steps() {
        return Combinators.combine(
                        Arbitraries.of(Deed.class),
                        Arbitraries.of(NAMES),
                        Arbitraries.integers().between(0, 99))
                .as(Step::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(12);
    }

    @Property(tries = 60, edgeCases = EdgeCasesMode.NONE)
    void theLookupOrderHolds(@ForAll("steps") List<Step> steps) {
        Map<String, @Nullable Object> locals = new LinkedHashMap<>();
        Map<String, @Nullable Object> globals = new LinkedHashMap<>();
        Map<String, Object> shared = new LinkedHashMap<>();
        Frame frame = Frame.of(locals, Globals.of(globals));

        for (Step step : steps) {
            String name = step.name();
            int value = step.value();
            switch (step.deed()) {
                case LOCAL -> locals.put(name, value);
                case LOCAL_REMOVED -> locals.remove(name);
                case GLOBAL -> globals.put(name, value);
                case GLOBAL_REMOVED -> globals.remove(name);
                case SHARED -> {
                    SharedLocals.of(frame).put(name, (Object) value);
                    shared.put(name, value);
                }
                case ASSIGN -> {
                    engine.capture(changed(name) + name + " = " + value, frame).evaluate();
                    shared.put(name, value);
                }
                case DECLARE -> {
                    engine.capture("let " + name + " = " + value, frame).evaluate();
                    shared.put(name, value);
                }
                case THROUGH_GLOBAL_THIS -> {
                    engine.capture(changed(name) + "globalThis." + name + " = " + value, frame)
                            .evaluate();
                    shared.put(name, value);
                }
                case ASSIGN_AND_PUSH -> {
                    engine.capture(changed(name) + name + " = " + value, frame).run();
                    shared.put(name, value);
                    locals.put(name, value);
                }
                case FAIL -> {
                    try {
                        engine.capture("nowhere", frame).run();
                    } catch (BlockException expected) {
                        // A failure changes nothing.
                    }
                }
            }
            assertThat(read(frame)).as("after %s", step).isEqualTo(model(locals, shared, globals));
        }
    }

    /** A write that makes the next one a change, whatever the name was bound to. */
    private static String changed(String name) {
        return name + " = -1; ";
    }

    private static List<Object> read(Frame frame) {
        String text =
                "[a, b, c].join()"
                        .replaceAll("([abc])(?=[,\\]])", "(typeof $1 === 'undefined' ? '-' : $1)");
        return List.of(engine.capture(text, frame).evaluate().value());
    }

    private static List<Object> model(
            Map<String, ?> own, Map<String, ?> shared, Map<String, ?> globals) {
        List<String> values = new ArrayList<>();
        for (String name : NAMES) {
            Map<String, ?> tier =
                    own.containsKey(name) ? own : shared.containsKey(name) ? shared : globals;
            values.add(tier.containsKey(name) ? "" + tier.get(name) : "-");
        }
        return List.of(String.join(",", values));
    }
}
