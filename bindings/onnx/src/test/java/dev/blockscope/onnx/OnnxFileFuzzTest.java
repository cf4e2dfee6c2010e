package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Damaged files, {@code fuzz.inputs} of them: whatever is done to the bytes, reading them ends
 * soon, holds little memory, and gives a model or an {@link OnnxFileException}.
 */
class OnnxFileFuzzTest {
    private static final int INPUTS = Integer.getInteger("fuzz.inputs", 20_000);

    /** A tree of a file as small as these takes a fraction of it. */
    private static final long MOST_BYTES = 64L << 20;

    private final Path file = Path.of("fuzzed.onnx").toAbsolutePath();
    private final ThreadMXBean memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @Test
    @Timeout(3600)
    void answersDamageWithAModelOrAClearError() throws Exception {
        List<byte[]> models = models();
        long seed = Long.getLong("fuzz.seed", 20_260_101L);
        int read = 0;
        for (int i = 0; i < INPUTS; i++) {
            Random random = new Random(seed + i);
            // The small ones are read in no time, the large one has the structure of a real model.
            byte[] model = models.get(i % 20 == 0 ? 0 : 1 + random.nextInt(models.size() - 1));
            byte[] damaged = damage(random, model);
            read += reads(damaged, "input %d of seed %d".formatted(i, seed)) ? 1 : 0;
        }
        assertThat(read).as("some damage is harmless, most is not").isBetween(INPUTS / 100, INPUTS);
    }

    private boolean reads(byte[] bytes, String story) {
        long before = memory.getCurrentThreadAllocatedBytes();
        long start = System.nanoTime();
        boolean read = false;
        try {
            OnnxFile found = OnnxFile.parse(file, ByteBuffer.wrap(bytes));
            assertThat(new SegmentWriter(found).writeAllOutputs()).isNotNull();
            plan(facts(found));
            read = true;
        } catch (OnnxFileException e) {
            assertThat(e).as(story).hasMessageContaining("fuzzed.onnx");
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
            fail(story + ": " + HexFormat.of().formatHex(bytes), e);
        }
        assertThat(System.nanoTime() - start).as("time of " + story).isLessThan(10_000_000_000L);
        assertThat(memory.getCurrentThreadAllocatedBytes() - before)
                .as("memory of " + story)
                .isLessThan(MOST_BYTES);
        return read;
    }

    /** Finds out all that is found out when a model is opened, but what the runtime is asked. */
    private static ModelFacts facts(OnnxFile found) throws OnnxFileException {
        Graph graph = found.graph();
        Dataflow flow = new Dataflow(found.path(), graph);
        ModuleReads reads = new ModuleReads(graph, flow);
        ModuleTree tree = ModuleTree.of(reads);
        Map<String, TensorSpec> types = new HashMap<>();
        graph.nodes().stream()
                .flatMap(GraphNode::makes)
                .forEach(name -> types.put(name, new TensorSpec(name, DType.FLOAT32, List.of())));
        graph.declared()
                .forEach((name, value) -> value.spec().ifPresent(spec -> types.put(name, spec)));
        RawTensors tensors = new RawTensors(reads, types);
        return new ModelFacts(
                found,
                flow,
                reads.scopes(),
                tree,
                new ModulePoints(tree, reads, types, tensors),
                tensors,
                types,
                known(graph.inputs(), types),
                known(graph.outputs(), types));
    }

    private static List<TensorSpec> known(List<Declared> values, Map<String, TensorSpec> types) {
        return values.stream()
                .map(Declared::name)
                .map(types::get)
                .filter(Objects::nonNull)
                .toList();
    }

    /**
     * Walks the tree, cuts the graph in the middle, and describes it to those who are elsewhere.
     */
    private static void plan(ModelFacts facts) {
        ModuleTree tree = facts.modules();
        tree.modules().forEach(module -> assertThat(tree.sharing(module)).doesNotContain(module));
        assertThat(TreeText.of(tree, facts.types())).isNotNull();
        assertThat(facts.points().hooks().paths()).hasSameSizeAs(facts.points().stops().keySet());
        int end = facts.flow().nodes().size();
        Partition partition = WiredGraph.of(facts, Wiring.NONE).partition();
        partition.between(0, end / 2, Set.copyOf(facts.tensors().names()));
        partition.between(end / 2, end, Set.of());
        ModelDescription described =
                new ModelDescription(
                        facts.inputs(), facts.outputs(), 0, tree, facts.tensors().all(), Map.of());
        assertThat(new DescriptionForm().description(described.toPlain()).modules().modules())
                .hasSameSizeAs(tree.modules());
    }

    private static List<byte[]> models() throws Exception {
        ModelFacts tiny = ModelFacts.of(new SessionSettings(RealModel.TINY_IOI.file(), 1, false));
        Segment all =
                WiredGraph.of(tiny, Wiring.NONE)
                        .partition()
                        .between(0, tiny.flow().nodes().size(), Set.of());
        List<byte[]> models = new ArrayList<>();
        models.add(new SegmentWriter(tiny.file()).write(all, tiny.types()));
        models.add(TinyModel.perceptron().toByteArray());
        TinyModel branch =
                new TinyModel().node("Add", "/plus", "x x", "t").output("t", DType.FLOAT32);
        models.add(
                TinyModel.perceptron()
                        .beside("far", List.of(2L), "weights.bin", 0, 8)
                        .whole("one", 1)
                        .node(
                                "If",
                                "/net/choice/If",
                                "one",
                                "chosen",
                                List.of(
                                        branch.asAttribute("then_branch"),
                                        branch.asAttribute("else_branch")))
                        .toByteArray());
        models.add(
                TinyModel.perceptron()
                        .node("DynamicQuantizeLinear", "/a/b/Q", "h0", "q s z")
                        .node("DequantizeLinear", "/c/d/D", "q s z", "d")
                        .toByteArray());
        return models;
    }

    /** Does up to four things to a copy of the bytes. */
    private static byte[] damage(Random random, byte[] whole) {
        byte[] bytes = whole.clone();
        for (int i = random.nextInt(4); i >= 0 && bytes.length > 1; i--) {
            int at = random.nextInt(bytes.length);
            int length = Math.min(1 + random.nextInt(12), bytes.length - at);
            switch (random.nextInt(7)) {
                case 0, 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> bytes[at] = (byte) random.nextInt(256);
                case 3 -> bytes = Arrays.copyOf(bytes, at + 1);
                case 4 -> Arrays.fill(bytes, at, at + length, (byte) 0xff);
                case 5 -> bytes = spliced(bytes, at, at + length, at);
                default -> bytes = spliced(bytes, at, random.nextInt(bytes.length), at);
            }
        }
        return bytes;
    }

    /** Puts a part of the bytes once more, or instead, at a place. */
    private static byte[] spliced(byte[] bytes, int from, int to, int at) {
        int start = Math.min(from, to);
        int end = Math.min(Math.max(from, to), start + 200);
        byte[] more = Arrays.copyOf(bytes, bytes.length + end - start);
        System.arraycopy(bytes, start, more, at, end - start);
        System.arraycopy(bytes, at, more, at + end - start, bytes.length - at);
        return more;
    }
}
