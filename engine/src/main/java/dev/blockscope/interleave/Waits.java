package dev.blockscope.interleave;

import dev.blockscope.Block;
import dev.blockscope.BlockResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What became of the waits of one block. */
final class Waits {
    private static final int MOST_UNSERVED = 100;

    private final Block block;
    private final Map<HookPoint<?>, Integer> served = new LinkedHashMap<>();
    private final List<String> unserved = new ArrayList<>();

    Waits(Block block) {
        this.block = block;
    }

    void served(HookPoint<?> point) {
        served.merge(point, 1, Integer::sum);
    }

    void unserved(Wait wait, String why) {
        note("%s: %s".formatted(wait.text(), why));
    }

    void endedEarly(HookNode part, int from, int to) {
        String whole = part.path().isEmpty() ? "any point" : part.path();
        note(
                to - 1 == from
                        ? "%s: visit %d never came".formatted(whole, from)
                        : "%s: visits %d to %d never came".formatted(whole, from, to - 1));
    }

    RunReport.OfBlock report(List<String> dropped, BlockResult result) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        served.forEach((point, count) -> counts.put(point.path(), count));
        return new RunReport.OfBlock(block.source(), counts, unserved, dropped, result.shadowed());
    }

    private void note(String text) {
        if (unserved.size() < MOST_UNSERVED) {
            unserved.add(text);
        }
    }
}
