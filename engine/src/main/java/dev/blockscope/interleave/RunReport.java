package dev.blockscope.interleave;

import static java.util.stream.Collectors.joining;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.blockscope.Block;
import dev.blockscope.BlockResult;
import dev.blockscope.BlockSource;
import dev.blockscope.ShadowedBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What became of the waits and the names of each block of a trace. Its text is for people to read.
 *
 * @param blocks a part for each block, in definition order
 * @param stopped who stopped the computation, if a block did
 * @since 0.1
 */
public record RunReport(List<OfBlock> blocks, Optional<Stopped> stopped) {
    /** Copies the list. */
    public RunReport {
        blocks = ImmutableList.copyOf(blocks);
    }

    /**
     * What became of the waits and the names of one block.
     *
     * @param block its text
     * @param served the points it waited for, in that order, and how many visits of each it saw
     * @param unserved what it asked for and did not get, and why; the first hundred
     * @param dropped names that it assigned and that a later block of its frame assigned too, whose
     *     value was pushed
     * @param shadowed names of its own that hid what a sibling had bound; empty unless the engine
     *     {@linkplain dev.blockscope.BlockEngine.Builder#onShadowed looks for them}
     * @since 0.1
     */
    public record OfBlock(
            BlockSource block,
            Map<String, Integer> served,
            List<String> unserved,
            List<String> dropped,
            List<ShadowedBinding> shadowed) {
        /** Copies the collections. */
        public OfBlock {
            served = ImmutableMap.copyOf(served);
            unserved = ImmutableList.copyOf(unserved);
            dropped = ImmutableList.copyOf(dropped);
            shadowed = ImmutableList.copyOf(shadowed);
        }

        /** Returns a line with the block's place, and one for each kind of news. */
        @Override
        public String toString() {
            StringBuilder text = new StringBuilder(block.file() + ":" + block.line());
            line("served", served.entrySet().stream().map(OfBlock::times).toList(), text);
            line("unserved", unserved, text);
            line("dropped", dropped, text);
            line("shadowed", shadowed.stream().map(ShadowedBinding::name).toList(), text);
            return text.toString();
        }

        private static String times(Map.Entry<String, Integer> point) {
            return point.getValue() == 1
                    ? point.getKey()
                    : "%s (%d visits)".formatted(point.getKey(), point.getValue());
        }

        private static void line(String name, List<String> news, StringBuilder text) {
            if (!news.isEmpty()) {
                text.append("\n  %-9s ".formatted(name)).append(String.join("; ", news));
            }
        }
    }

    static RunReport of(
            List<Waits> waits,
            List<BlockResult> results,
            List<Block> blocks,
            @Nullable Stopped stopped) {
        List<OfBlock> parts = new ArrayList<>();
        for (int i = 0; i < blocks.size(); i++) {
            parts.add(waits.get(i).report(droppedOf(i, results, blocks), results.get(i)));
        }
        return new RunReport(parts, Optional.ofNullable(stopped));
    }

    @SuppressWarnings("ReferenceEquality") // a frame is itself and no other
    private static List<String> droppedOf(
            int position, List<BlockResult> results, List<Block> blocks) {
        List<String> dropped = new ArrayList<>(results.get(position).bindings().keySet());
        dropped.removeIf(name -> {
            for (int later = position + 1; later < blocks.size(); later++) {
                if (blocks.get(later).frame() == blocks.get(position).frame()
                        && results.get(later).bindings().containsKey(name)) {
                    return false;
                }
            }
            return true;
        });
        return dropped;
    }

    /** Returns the parts of all blocks, and who stopped the computation. */
    @Override
    public String toString() {
        String parts = blocks.stream().map(OfBlock::toString).collect(joining("\n"));
        return stopped.map(by -> parts + "\nstopped by " + by).orElse(parts);
    }
}
