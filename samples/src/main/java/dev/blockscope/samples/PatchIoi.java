package dev.blockscope.samples;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.onnx.Tensor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Finds where a language model keeps a name, by patching one activation after the other.
 *
 * <p>The activations come from a sentence and go into its corrupted twin; what comes back of the
 * answer shows what they carry.
 */
@Command(
        name = "samples/run patch-ioi",
        sortOptions = false,
        description = {
            "Runs the model tiny-ioi on two sentences that differ in a name and so in how they",
            "go on. Then, for every layer and position, it runs the corrupted sentence with that",
            "one activation replaced by what it was in the clean sentence, and shows how much of",
            "the difference between the two answers comes back: 1 is all of it, 0 nothing.",
            ""
        },
        footer = {
            "",
            "Names of the block that patches (patch-ioi.js):",
            "  model            the modules of the model",
            "  clean            what each layer made of the clean sentence, tensors [1, tokens, 64]",
            "  layer, position  what is to be patched",
            "  tokens           the words of the corrupted sentence; tokens.find(' John') is a position"
        })
final class PatchIoi extends Recipe {
    private static final String CLEAN =
            "when Mary and John went to the store , John gave a drink to";
    private static final String CORRUPTED =
            "when Mary and John went to the store , Mary gave a drink to";

    @Option(
            names = "--clean",
            paramLabel = "SENTENCE",
            description = "the sentence whose answer is to come back")
    private String clean = CLEAN;

    @Option(
            names = "--corrupted",
            paramLabel = "SENTENCE",
            description = "a sentence of as many words with another answer")
    private String corrupted = CORRUPTED;

    PatchIoi() {
        super("patch-ioi");
    }

    /** Runs the sample; the exit status is 2 for wrong arguments. */
    public static void main(String[] args) {
        System.exit(new PatchIoi().commandLine().execute(args));
    }

    @Override
    public Integer call() throws IOException {
        try (BlockEngine engine = BlockEngine.create();
                TinyIoi ioi = TinyIoi.open()) {
            check(ioi);
            return patch(engine, ioi);
        }
    }

    private void check(TinyIoi ioi) {
        for (String sentence : List.of(clean, corrupted)) {
            ioi.unknown(sentence)
                    .ifPresent(word -> {
                        throw wrong("the model does not know the word \"" + word + "\"");
                    });
        }
        if (TinyIoi.tokens(clean).size() != TinyIoi.tokens(corrupted).size()) {
            throw wrong("the two sentences need the same number of words");
        }
    }

    private int patch(BlockEngine engine, TinyIoi ioi) throws IOException {
        Map<String, @Nullable Object> locals = new LinkedHashMap<>();
        locals.put("model", ioi.model().envoy());
        locals.put("tokens", ioi.encode(corrupted));
        Frame frame = Frame.of(locals);

        // Afterwards "clean" is in the frame: what every layer made of the clean sentence.
        Block keeper = engine.capture(resource("ioi-clean.js"), frame);
        Tensor right = last(ioi.model().trace(ioi.inputs(clean), keeper).result());
        Tensor wrong = last(ioi.model().run(ioi.inputs(corrupted)));
        Answers answers = new Answers(TinyIoi.next(right), TinyIoi.next(wrong));
        if (answers.clean() == answers.corrupted()) {
            throw wrong("both sentences go on with \"%s\"".formatted(ioi.word(answers.clean())));
        }
        String answer = ioi.word(answers.clean());
        String other = ioi.word(answers.corrupted());
        print("clean      %s -> %s", clean, answer);
        print("corrupted  %s -> %s", corrupted, other);
        print(
                "logit difference %s - %s: clean %.2f, corrupted %.2f",
                answer, other, answers.difference(right), answers.difference(wrong));
        print("");
        List<List<Double>> restored =
                sweep(engine, ioi, locals, logits -> answers.restored(logits, right, wrong));
        show(
                new HeatMap.Table(
                        "how much of the logit difference one activation brings back",
                        "position",
                        numbered(TinyIoi.tokens(corrupted)),
                        layers(ioi.layers()),
                        restored,
                        0,
                        1));
        return CommandLine.ExitCode.OK;
    }

    /** Runs the block for every layer and position, and returns what each brings back. */
    private List<List<Double>> sweep(
            BlockEngine engine,
            TinyIoi ioi,
            Map<String, @Nullable Object> locals,
            ToDoubleFunction<Tensor> restored)
            throws IOException {
        Frame frame = Frame.of(locals);
        BlockSource source = block();
        List<String> tokens = TinyIoi.tokens(corrupted);
        List<List<Double>> rows = new ArrayList<>();
        try (Progress progress = Progress.of(ioi.layers() * tokens.size())) {
            for (int layer = 0; layer < ioi.layers(); layer++) {
                List<Double> row = new ArrayList<>();
                for (int position = 0; position < tokens.size(); position++) {
                    progress.step("layer %d, %s".formatted(layer, tokens.get(position)));
                    locals.put("layer", layer);
                    locals.put("position", position);
                    Block block = engine.capture(source, frame);
                    row.add(
                            restored.applyAsDouble(
                                    last(
                                            ioi.model()
                                                    .trace(ioi.inputs(corrupted), block)
                                                    .result())));
                }
                rows.add(row);
            }
        }
        return rows;
    }

    /** The words that the two sentences go on with, by their numbers. */
    private record Answers(int clean, int corrupted) {
        double difference(Tensor logits) {
            return logits.item(clean) - logits.item(corrupted);
        }

        /** Returns how much of the difference comes back: 1 is all of it. */
        double restored(Tensor logits, Tensor right, Tensor wrong) {
            double nothing = difference(wrong);
            return (difference(logits) - nothing) / (difference(right) - nothing);
        }
    }

    private static Tensor last(Map<String, Tensor> outputs) {
        return TinyIoi.logits(outputs).at(-1);
    }
}
