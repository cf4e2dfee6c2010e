package dev.blockscope.samples;

import static java.util.stream.Collectors.joining;

import dev.blockscope.BlockEngine;
import dev.blockscope.Frame;
import dev.blockscope.onnx.Tensor;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
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
            "  layer, position  what is to be patched"
        })
final class PatchIoi extends Sample {
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

    @Option(
            names = "--picture",
            paramLabel = "FILE",
            description = "where the picture goes (default: ${DEFAULT-VALUE})",
            defaultValue = "patch-ioi.png")
    private Path picture = Path.of("patch-ioi.png");

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
        Frame frame = Frame.of(locals);

        // Afterwards "clean" is in the frame: what every layer made of the clean sentence.
        Tensor right =
                last(
                        ioi.model()
                                .trace(
                                        ioi.inputs(clean),
                                        engine.capture(resource("ioi-clean.js"), frame))
                                .result());
        Tensor wrong = last(ioi.model().run(ioi.inputs(corrupted)));
        int answer = TinyIoi.next(right);
        int other = TinyIoi.next(wrong);
        if (answer == other) {
            throw wrong("both sentences go on with \"%s\"".formatted(ioi.word(answer)));
        }
        double whole = difference(right, answer, other);
        double nothing = difference(wrong, answer, other);
        print("clean      %s -> %s", clean, ioi.word(answer));
        print("corrupted  %s -> %s", corrupted, ioi.word(other));
        print(
                "logit difference %s - %s: clean %.2f, corrupted %.2f%n",
                ioi.word(answer), ioi.word(other), whole, nothing);

        List<String> tokens = TinyIoi.tokens(corrupted);
        List<List<Double>> restored = new ArrayList<>();
        try (Progress progress = Progress.of(ioi.layers() * tokens.size())) {
            for (int layer = 0; layer < ioi.layers(); layer++) {
                List<Double> row = new ArrayList<>();
                for (int position = 0; position < tokens.size(); position++) {
                    progress.step("layer %d, %s".formatted(layer, tokens.get(position)));
                    locals.put("layer", layer);
                    locals.put("position", position);
                    Tensor logits =
                            last(
                                    ioi.model()
                                            .trace(
                                                    ioi.inputs(corrupted),
                                                    engine.capture(resource("patch-ioi.js"), frame))
                                            .result());
                    double patched = difference(logits, answer, other);
                    row.add((patched - nothing) / (whole - nothing));
                }
                restored.add(row);
            }
        }
        show(tokens, restored);
        return CommandLine.ExitCode.OK;
    }

    private void show(List<String> tokens, List<List<Double>> restored) throws IOException {
        print("restored   %s", tokens.stream().map("%7s"::formatted).collect(joining(" ")));
        for (int layer = 0; layer < restored.size(); layer++) {
            print(
                    "layer %-4d %s",
                    layer,
                    restored.get(layer).stream()
                            .map(share -> String.format(Locale.ROOT, "%7.2f", share))
                            .collect(joining(" ")));
        }
        draw(
                picture,
                List.of(
                        new HeatMap.Table(
                                "how much of the answer one activation brings back",
                                "position",
                                numbered(tokens),
                                IntStream.range(0, restored.size())
                                        .mapToObj(layer -> "layer " + layer)
                                        .toList(),
                                restored,
                                0,
                                1)));
    }

    /** Labels of a chart must differ. */
    static List<String> numbered(List<String> tokens) {
        return IntStream.range(0, tokens.size()).mapToObj(i -> i + " " + tokens.get(i)).toList();
    }

    private static Tensor last(Map<String, Tensor> outputs) {
        return TinyIoi.logits(outputs).at(-1);
    }

    private static double difference(Tensor logits, int answer, int other) {
        return logits.item(answer) - logits.item(other);
    }
}
