package dev.blockscope.samples;

import dev.blockscope.BlockEngine;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.onnx.Tensor;
import dev.blockscope.onnx.Tokens;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Takes one attention head after the other out of a sentence encoder, and shows which matter. */
@Command(
        name = "samples/run ablate-heads",
        sortOptions = false,
        description = {
            "Embeds a sentence with the model all-MiniLM-L6-v2, once as it is and once for each of",
            "its 72 attention heads with that head's part set to zero, and shows how far the",
            "embedding turns: 0 is not at all, 100 would be a right angle.",
            ""
        },
        footer = {
            "",
            "Names of the block (ablate-heads.js):",
            "  model        the modules of the model",
            "  layer, head  what is to be taken away",
            "  heads        how many heads a layer has",
            "  tokens       the tokens of the sentence; tokens.find(' cat') is a position"
        })
final class AblateHeads extends Recipe {
    private static final String SENTENCE = "The engine of my old car makes a strange noise.";

    @Parameters(arity = "0..1", paramLabel = "SENTENCE", description = "a sentence of your own")
    private String sentence = SENTENCE;

    AblateHeads() {
        super("ablate-heads");
    }

    /** Runs the sample; the exit status is 1 if the block fails and 2 for wrong arguments. */
    public static void main(String[] args) {
        System.exit(new AblateHeads().commandLine().execute(args));
    }

    @Override
    public Integer call() throws IOException {
        BlockSource source = block();
        try (BlockEngine engine = BlockEngine.create();
                Minilm minilm = Minilm.open()) {
            Tokens tokens = minilm.encode(sentence).orElseThrow(() -> wrong(Minilm.TOO_LONG));
            show(ablate(engine, minilm, source, tokens));
            return CommandLine.ExitCode.OK;
        }
    }

    /** Returns how far the embedding turns, a row for each layer and a number for each head. */
    private List<List<Double>> ablate(
            BlockEngine engine, Minilm minilm, BlockSource source, Tokens tokens) {
        Map<String, @Nullable Object> locals = new LinkedHashMap<>();
        locals.put("model", minilm.model().envoy());
        locals.put("heads", Minilm.HEADS);
        locals.put("tokens", tokens);
        Frame frame = Frame.of(locals);
        Map<String, Tensor> inputs = tokens.inputs(minilm.model());
        Tensor whole = Minilm.embedding(minilm.model().run(inputs), 0, tokens.getSize());
        List<List<Double>> turns = new ArrayList<>();
        try (Progress progress = Progress.of(Minilm.LAYERS * Minilm.HEADS)) {
            for (int layer = 0; layer < Minilm.LAYERS; layer++) {
                List<Double> row = new ArrayList<>();
                for (int head = 0; head < Minilm.HEADS; head++) {
                    progress.step("layer %d, head %d".formatted(layer, head));
                    locals.put("layer", layer);
                    locals.put("head", head);
                    Map<String, Tensor> outputs =
                            minilm.model().trace(inputs, engine.capture(source, frame)).result();
                    Tensor without = Minilm.embedding(outputs, 0, tokens.getSize());
                    row.add(100 * (1 - whole.cosine(without)));
                }
                turns.add(row);
            }
        }
        return turns;
    }

    private void show(List<List<Double>> turns) throws IOException {
        print("%s", sentence);
        print("");
        show(
                new HeatMap.Table(
                        "how far the embedding turns without one head, in percent",
                        "head",
                        IntStream.range(0, Minilm.HEADS).mapToObj(Integer::toString).toList(),
                        layers(Minilm.LAYERS),
                        turns,
                        0,
                        HeatMap.most(turns)));
    }
}
