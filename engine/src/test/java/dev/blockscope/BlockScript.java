package dev.blockscope;

import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/** Runs a text as a block, and tells what it came to as {@link PlainScript} does. */
final class BlockScript {
    private BlockScript() {}

    /** Captures and runs a text. */
    static Outcome run(BlockEngine engine, BlockSource source, Frame frame) {
        Block block;
        try {
            block = engine.capture(source, frame);
        } catch (BlockException e) {
            return failed(e, frame);
        }
        return run(block);
    }

    /** Runs a block once. Whatever is thrown is an outcome, be it none that may be thrown. */
    static Outcome run(Block block) {
        try {
            BlockResult result = block.evaluate();
            SortedMap<String, String> bindings = new TreeMap<>();
            result.bindings().forEach((name, value) -> bindings.put(name, PlainText.of(value)));
            return new Outcome(PlainText.of(result.value()), "", List.of(), bindings, Set.of());
        } catch (BlockException e) {
            return failed(e, block.frame());
        } catch (RuntimeException e) {
            return new Outcome("", "no BlockException: " + e, List.of(), new TreeMap<>(), Set.of());
        }
    }

    private static Outcome failed(BlockException e, Frame frame) {
        SortedMap<String, String> bindings = new TreeMap<>();
        SharedLocals shared = SharedLocals.of(frame);
        for (BoundName bound : e.bindings()) {
            bindings.put(
                    bound.name(),
                    shared.find(bound.name())
                            .map(binding -> PlainText.of(binding.value()))
                            .orElse("not shared"));
        }
        List<Outcome.Place> places =
                e.traceback().entries().stream().map(BlockScript::place).toList();
        return new Outcome("", e.traceback().message(), places, bindings, Set.of());
    }

    private static Outcome.Place place(Traceback.Entry entry) {
        return new Outcome.Place(entry.file(), entry.line(), entry.column(), entry.function());
    }
}
