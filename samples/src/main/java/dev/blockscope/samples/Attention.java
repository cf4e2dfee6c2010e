package dev.blockscope.samples;

import dev.blockscope.BlockEngine;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.onnx.Tensor;
import dev.blockscope.onnx.Token;
import dev.blockscope.onnx.Tokens;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows which tokens of a sentence one attention head looks at. */
@Command(
        name = "samples/run attention",
        sortOptions = false,
        description = {
            "Runs a sentence through the model all-MiniLM-L6-v2; a block reads the probabilities",
            "of one attention head: how much each token looks at each other.",
            ""
        },
        footer = {
            "",
            "Names of the block (attention.js), which leaves \"attention\", a tensor [tokens, tokens]:",
            "  model        the modules of the model",
            "  layer, head  which head is meant",
            "  heads        how many heads a layer has",
            "  tokens       the tokens of the sentence; tokens.find(' cat') is a position"
        })
final class Attention extends Recipe {
    private static final String SENTENCE = "The cat sat on the mat because it was tired.";

    @Option(
            names = "--layer",
            paramLabel = "NUMBER",
            description = "from 0 to 5 (default: ${DEFAULT-VALUE})",
            defaultValue = "0")
    private int layer;

    @Option(
            names = "--head",
            paramLabel = "NUMBER",
            description = "from 0 to 11 (default: ${DEFAULT-VALUE})",
            defaultValue = "2")
    private int head;

    @Parameters(arity = "0..1", paramLabel = "SENTENCE", description = "a sentence of your own")
    private String sentence = SENTENCE;

    Attention() {
        super("attention");
    }

    /** Runs the sample; the exit status is 1 if the block fails and 2 for wrong arguments. */
    public static void main(String[] args) {
        System.exit(new Attention().commandLine().execute(args));
    }

    @Override
    public Integer call() throws IOException {
        if (layer < 0 || layer >= Minilm.LAYERS || head < 0 || head >= Minilm.HEADS) {
            throw wrong(
                    "there is no head %d in a layer %d; layers are 0 to %d, heads 0 to %d"
                            .formatted(head, layer, Minilm.LAYERS - 1, Minilm.HEADS - 1));
        }
        BlockSource source = block();
        try (BlockEngine engine = BlockEngine.create();
                Minilm minilm = Minilm.open()) {
            Tokens tokens = minilm.encode(sentence).orElseThrow(() -> wrong(Minilm.TOO_LONG));
            Map<String, @Nullable Object> locals = new LinkedHashMap<>();
            locals.put("model", minilm.model().envoy());
            locals.put("layer", layer);
            locals.put("head", head);
            locals.put("heads", Minilm.HEADS);
            locals.put("tokens", tokens);
            minilm.model()
                    .trace(tokens.inputs(minilm.model()), engine.capture(source, Frame.of(locals)));
            show(tokens, locals.get("attention"));
            return CommandLine.ExitCode.OK;
        }
    }

    private void show(Tokens tokens, @Nullable Object left) throws IOException {
        int size = tokens.tokens().size();
        if (!(left instanceof Tensor attention)
                || attention.dim() != 2
                || attention.shape()[0] != size
                || attention.shape()[1] != size) {
            throw wrong(
                    "the block leaves attention = %s, expected a tensor [%d, %d]"
                            .formatted(left, size, size));
        }
        List<String> strings = tokens.tokens().stream().map(Token::string).toList();
        print("layer %d, head %d", layer, head);
        print("");
        for (int token = 0; token < size; token++) {
            int most = (int) attention.at(token).argmax();
            print(
                    "%-12s looks at %-12s %3.0f %%",
                    strings.get(token), strings.get(most), 100 * attention.item(token, most));
        }
        draw(
                List.of(
                        new HeatMap.Table(
                                "layer %d, head %d: what each token looks at"
                                        .formatted(layer, head),
                                "is looked at",
                                numbered(strings),
                                numbered(strings),
                                IntStream.range(0, size)
                                        .mapToObj(token -> attention.at(token).toDoubleArray())
                                        .map(Attention::boxed)
                                        .toList(),
                                0,
                                1)));
    }

    private static List<Double> boxed(double[] row) {
        return IntStream.range(0, row.length).mapToObj(i -> row[i]).toList();
    }
}
