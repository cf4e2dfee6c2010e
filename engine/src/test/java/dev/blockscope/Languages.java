package dev.blockscope;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.graalvm.polyglot.Engine;

/** The two ways to run a text, side by side. */
final class Languages implements AutoCloseable {
    /** The file of every text. */
    static final String FILE = "text.js";

    private final Engine language =
            Engine.newBuilder("js").option("engine.WarnInterpreterOnly", "false").build();
    private final PlainScript scripts = new PlainScript(language);
    private final BlockEngine blocks = BlockEngine.create();

    Outcome asScript(String text) {
        return scripts.run(text, FILE, Map.of());
    }

    Outcome asBlock(String text) {
        return asBlock(text, Frame.empty());
    }

    Outcome asBlock(String text, Frame frame) {
        return BlockScript.run(blocks, BlockSource.javaScript(text, FILE), frame);
    }

    Outcome asBlock(String text, int line, int column) {
        BlockSource source = BlockSource.javaScript(text, FILE).startingAt(line, column);
        return BlockScript.run(blocks, source, Frame.empty());
    }

    /** Runs one block two times and returns what it came to the second time. */
    Outcome asBlockTwice(String text) {
        Block block;
        try {
            block = blocks.capture(BlockSource.javaScript(text, FILE), Frame.empty());
        } catch (BlockException e) {
            return asBlock(text);
        }
        BlockScript.run(block);
        return BlockScript.run(block);
    }

    Comparison both(String text) {
        return both(text, Map.of());
    }

    /** Runs a text where names have values: global variables of the script, a block's snapshot. */
    Comparison both(String text, Map<String, Object> names) {
        Outcome script = scripts.run(text, FILE, names);
        Outcome block = asBlock(text, Frame.of(new LinkedHashMap<>(names)));
        // Whether an equal value was assigned cannot be seen from outside a script.
        Set<String> untouched = new TreeSet<>(names.keySet());
        untouched.removeIf(
                name -> !Objects.equals(block.bindings().get(name), PlainText.of(names.get(name))));
        return new Comparison(text, script, block.without(untouched));
    }

    @Override
    public void close() {
        blocks.close();
        language.close(true);
    }
}
