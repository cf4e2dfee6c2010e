package dev.blockscope.samples;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockResult;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.interleave.Trace;
import dev.blockscope.onnx.OnnxModel;
import dev.blockscope.onnx.SegmentStatistics;
import dev.blockscope.onnx.Tensor;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/**
 * Lets a block of JavaScript steer a sentence encoder while it runs, and shows what that changes.
 *
 * <p>The block is captured in a frame, a map of this class: it sees the names in it, and what it
 * assigns is in it afterwards.
 */
@Command(
        name = "samples/run steer-minilm",
        sortOptions = false,
        description = {
            "Embeds sentences with the model all-MiniLM-L6-v2, lets a block of JavaScript change",
            "activations in the middle of it, and shows how close the sentences are to each",
            "other before and after.",
            ""
        },
        footer = {
            "",
            "Names the block sees:",
            "  model       the modules of the model. model.encoder.layer[3].output waits until",
            "              the model is there; it is a tensor [sentences, tokens, 384] to read,",
            "              to change in place and to assign",
            "  sentences   the sentences, an array of strings",
            "  tokens      the tokens of each sentence, arrays of strings",
            "  mask        a tensor [sentences, tokens], 1 for a token and 0 for filling",
            "  food, cars  what layer 3 makes of words about the two, tensors [384]",
            "",
            "Tensors have the methods of PyTorch: add, sub, mul, div, matmul, mean, sum, norm,",
            "softmax, slice, select; add_, mul_, fill_ and their like change the tensor itself.",
            "What the block assigns is pushed back and printed at the end."
        })
final class SteerMinilm extends Recipe {

    private static final List<String> CONCEPTS =
            List.of(
                    "bread cheese wine soup salad cake dinner",
                    "engine wheel motor brake truck road driver");

    private static final List<String> SENTENCES =
            List.of(
                    "The soup needs more salt.",
                    "We had dinner at an Italian restaurant.",
                    "The engine makes a strange noise.",
                    "My car needs new tyres.",
                    "It rained the whole night.",
                    "The storm closed the mountain pass.");

    @Parameters(paramLabel = "SENTENCE", description = "sentences of your own, two or more")
    private List<String> sentences = SENTENCES;

    SteerMinilm() {
        super("steer-minilm");
    }

    /** Runs the sample; the exit status is 1 if the block fails and 2 for wrong arguments. */
    public static void main(String[] args) {
        System.exit(new SteerMinilm().commandLine().execute(args));
    }

    @Override
    public Integer call() throws IOException {
        if (sentences.size() < 2) {
            throw wrong("one sentence cannot be compared, give two or more");
        }
        BlockSource source = block();
        try (BlockEngine engine = BlockEngine.create();
                Minilm minilm = open()) {
            print(
                    "model    %s, %d modules",
                    Minilm.NAME, minilm.model().modules().modules().size());
            print("runtime  %s", engine.runtime());
            return steer(engine, minilm, source);
        }
    }

    private int steer(BlockEngine engine, Minilm minilm, BlockSource source) throws IOException {
        OnnxModel model = minilm.model();
        Minilm.Batch batch = batch(minilm, sentences);

        // The place the blocks are written in: they see these names, and what they assign comes
        // here.
        Map<String, @Nullable Object> locals = new LinkedHashMap<>();
        locals.put("model", model.envoy());
        locals.put("sentences", sentences);
        locals.put("tokens", batch.strings());
        locals.put("mask", batch.mask());
        Frame frame = Frame.of(locals);

        Map<String, Tensor> plain;
        Trace<Map<String, Tensor>> steered;
        String difference;
        try (Progress progress = Progress.of(4)) {
            progress.step("reading the concepts");
            model.trace(
                    batch(minilm, CONCEPTS).inputs(),
                    engine.capture(resource("concepts.js"), frame));

            // Captured after the concepts were pushed into the frame, so the block sees them.
            Block block = engine.capture(source, frame);
            progress.step("running the sentences");
            plain = model.run(batch.inputs());
            progress.step("steering");
            steered = model.trace(batch.inputs(), block);
            progress.step("comparing the whole model with its parts");
            difference = difference(engine, model, batch, plain);
        }

        CosineTable before = CosineTable.of(sentences, batch.embeddings(plain));
        CosineTable after = CosineTable.of(sentences, batch.embeddings(steered.result()));
        double change = before.largestChange(after);
        print("%ncosines before%n%s", before.render());
        print("%n%s%n%s", source.file(), indented(source.text().lines()));
        print("%ncosines after%n%s", after.render());
        print("%npushed back%n%s", pushed(steered.blocks().getFirst()));
        print("%n%s", difference);
        print("largest change of the table: %.3f", change);
        draw(List.of(before.picture("before"), after.picture("after")));

        if (change == 0 && isOwnBlock()) {
            err().println("steer-minilm: the block steered nothing, which is a fault of ours");
            return CommandLine.ExitCode.SOFTWARE;
        }
        return CommandLine.ExitCode.OK;
    }

    private Minilm.Batch batch(Minilm minilm, List<String> texts) {
        return minilm.batch(
                texts.stream()
                        .map(text -> minilm.encode(text).orElseThrow(() -> wrong(Minilm.TOO_LONG)))
                        .toList());
    }

    private static Minilm open() throws IOException {
        try (Progress progress = Progress.of(1)) {
            progress.step("loading the model");
            return Minilm.open();
        }
    }

    /** Cuts the model at every layer's output, edits nothing, and compares with the whole model. */
    private static String difference(
            BlockEngine engine, OnnxModel model, Minilm.Batch batch, Map<String, Tensor> whole) {
        Block reader =
                engine.capture(
                        "for (const layer of model.encoder.layer) layer.output",
                        Frame.of(new LinkedHashMap<>(Map.of("model", model.envoy()))));
        long segments = segmentsRun(model);
        Map<String, Tensor> cut = model.trace(batch.inputs(), reader).result();
        segments = segmentsRun(model) - segments;
        double difference =
                whole.keySet().stream()
                        .mapToDouble(name -> difference(whole.get(name), cut.get(name)))
                        .max()
                        .orElseThrow();
        return "difference without edits: %s (the whole model against %d segments)"
                .formatted(difference, segments);
    }

    private static double difference(@Nullable Tensor a, @Nullable Tensor b) {
        return requireNonNull(a).sub(requireNonNull(b)).abs().max();
    }

    private static long segmentsRun(OnnxModel model) {
        SegmentStatistics statistics = model.statistics();
        return statistics.builds() + statistics.hits();
    }

    private static String pushed(BlockResult result) {
        return indented(
                result.bindings().entrySet().stream()
                        .map(name -> "%-10s %s".formatted(name.getKey(), name.getValue())));
    }

    private static String indented(Stream<String> lines) {
        return lines.map(line -> ("    " + line).stripTrailing()).collect(joining("\n"));
    }
}
