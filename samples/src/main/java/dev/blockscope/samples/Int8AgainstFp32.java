package dev.blockscope.samples;

import dev.blockscope.BlockEngine;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.onnx.Tensor;
import dev.blockscope.onnx.Token;
import dev.blockscope.onnx.Tokens;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows where a model with weights of 8 bits parts from the one it was made from. */
@Command(
        name = "samples/run int8-against-fp32",
        sortOptions = false,
        description = {
            "Runs one sentence through all-MiniLM-L6-v2 with weights of 32 and of 8 bits, and the",
            "same block in both. What it keeps is compared for each token: the length of the",
            "difference in percent of the length of what the larger model makes.",
            ""
        },
        footer = {
            "",
            "Names of the block (int8-against-fp32.js), which leaves \"made\", tensors by name:",
            "  model   the modules of the model",
            "  tokens  the tokens of the sentence; tokens.find(' cat') is a position"
        })
final class Int8AgainstFp32 extends Recipe {
    private static final String SENTENCE = "The engine of my old car makes a strange noise.";

    @Parameters(arity = "0..1", paramLabel = "SENTENCE", description = "a sentence of your own")
    private String sentence = SENTENCE;

    Int8AgainstFp32() {
        super("int8-against-fp32");
    }

    /** Runs the sample; the exit status is 1 if the block fails and 2 for wrong arguments. */
    public static void main(String[] args) {
        System.exit(new Int8AgainstFp32().commandLine().execute(args));
    }

    @Override
    public Integer call() throws IOException {
        BlockSource source = block();
        try (BlockEngine engine = BlockEngine.create();
                Minilm large = Minilm.open();
                Minilm small = Minilm.openQuantised()) {
            Tokens tokens = large.encode(sentence).orElseThrow(() -> wrong(Minilm.TOO_LONG));
            show(tokens, made(engine, large, source, tokens), made(engine, small, source, tokens));
            return CommandLine.ExitCode.OK;
        }
    }

    /** Returns what the block keeps of one model, by name. */
    private Map<String, Tensor> made(
            BlockEngine engine, Minilm minilm, BlockSource source, Tokens tokens) {
        Map<String, @Nullable Object> locals = new LinkedHashMap<>();
        locals.put("model", minilm.model().envoy());
        locals.put("tokens", tokens);
        minilm.model()
                .trace(tokens.inputs(minilm.model()), engine.capture(source, Frame.of(locals)));
        Map<String, Tensor> made = new LinkedHashMap<>();
        if (locals.get("made") instanceof Map<?, ?> kept) {
            kept.forEach((name, value) -> made.put(name.toString(), checked(name, value, tokens)));
        }
        if (made.isEmpty()) {
            throw wrong(
                    "the block leaves made = %s, expected an object with tensors"
                            .formatted(locals.get("made")));
        }
        return made;
    }

    private Tensor checked(Object name, @Nullable Object value, Tokens tokens) {
        if (value instanceof Tensor tensor
                && tensor.dim() == 3
                && tensor.shape()[1] == tokens.getSize()) {
            return tensor;
        }
        throw wrong(
                "made[\"%s\"] is %s, expected a tensor [1, %d, any]"
                        .formatted(name, value, tokens.getSize()));
    }

    private void show(Tokens tokens, Map<String, Tensor> large, Map<String, Tensor> small)
            throws IOException {
        List<String> names = List.copyOf(large.keySet());
        List<List<Double>> rows =
                names.stream().map(name -> difference(large.get(name), small.get(name))).toList();
        show(
                new HeatMap.Table(
                        "how far 8 bits are from 32, in percent",
                        "token",
                        numbered(tokens.tokens().stream().map(Token::string).toList()),
                        names,
                        rows,
                        0,
                        HeatMap.most(rows)));
    }

    /** Returns the length of the difference of each token in percent of its length. */
    private static List<Double> difference(@Nullable Tensor large, @Nullable Tensor small) {
        if (large == null || small == null) {
            throw new AssertionError("the same block runs in models of the same modules");
        }
        Tensor shares = small.sub(large).norm(-1).div(large.norm(-1)).mul(100).at(0);
        List<Double> row = new ArrayList<>();
        for (int token = 0; token < shares.size(); token++) {
            row.add(shares.item(token));
        }
        return row;
    }
}
