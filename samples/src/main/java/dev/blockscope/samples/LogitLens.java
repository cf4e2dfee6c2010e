package dev.blockscope.samples;

import static java.util.stream.Collectors.joining;

import dev.blockscope.BlockEngine;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.onnx.Tensor;
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

/** Lets every layer of a language model say which word it expects next. */
@Command(
        name = "samples/run logit-lens",
        sortOptions = false,
        description = {
            "Reads off, after every layer of the model tiny-ioi, which word would come next if",
            "the model ended there: a block hands what the layer makes to the end of the model.",
            ""
        },
        footer = {
            "",
            "Names of the block (logit-lens.js):",
            "  model        the modules of the model",
            "  layer, last  the layer that is to speak, and the last one",
            "  tokens       the words of the sentence; tokens.find(' John') is a position"
        })
final class LogitLens extends Recipe {
    private static final String SENTENCE =
            "when Mary and John went to the store , John gave a drink to";

    @Parameters(
            arity = "0..1",
            paramLabel = "SENTENCE",
            description = "a sentence in words that the model knows")
    private String sentence = SENTENCE;

    LogitLens() {
        super("logit-lens");
    }

    /** Runs the sample; the exit status is 2 for wrong arguments. */
    public static void main(String[] args) {
        System.exit(new LogitLens().commandLine().execute(args));
    }

    @Override
    public Integer call() throws IOException {
        try (BlockEngine engine = BlockEngine.create();
                TinyIoi ioi = TinyIoi.open()) {
            ioi.unknown(sentence)
                    .ifPresent(word -> {
                        throw wrong("the model does not know the word \"" + word + "\"");
                    });
            show(ioi, TinyIoi.tokens(sentence), look(engine, ioi));
            return CommandLine.ExitCode.OK;
        }
    }

    /** Returns what each layer says: for each position a row of logits. */
    private List<Tensor> look(BlockEngine engine, TinyIoi ioi) throws IOException {
        Map<String, @Nullable Object> locals = new LinkedHashMap<>();
        locals.put("model", ioi.model().envoy());
        locals.put("last", ioi.layers() - 1);
        locals.put("tokens", ioi.encode(sentence));
        Frame frame = Frame.of(locals);
        BlockSource source = block();
        List<Tensor> said = new ArrayList<>();
        try (Progress progress = Progress.of(ioi.layers())) {
            for (int layer = 0; layer < ioi.layers(); layer++) {
                progress.step("layer " + layer);
                locals.put("layer", layer);
                said.add(
                        TinyIoi.logits(
                                ioi.model()
                                        .trace(ioi.inputs(sentence), engine.capture(source, frame))
                                        .result()));
            }
        }
        return said;
    }

    private void show(TinyIoi ioi, List<String> tokens, List<Tensor> said) throws IOException {
        print("reads    %s", tokens.stream().map("%8s"::formatted).collect(joining(" ")));
        for (int layer = 0; layer < said.size(); layer++) {
            Tensor logits = said.get(layer);
            print(
                    "layer %d  %s",
                    layer,
                    IntStream.range(0, tokens.size())
                            .mapToObj(at -> "%8s".formatted(ioi.word(TinyIoi.next(logits.at(at)))))
                            .collect(joining(" ")));
        }
        Tensor answers = said.getLast().argmax(-1, true);
        List<List<Double>> shares =
                said.stream()
                        .map(logits -> logits.softmax(-1).gather(-1, answers).flatten())
                        .map(row -> IntStream.range(0, tokens.size()).mapToObj(row::item).toList())
                        .toList();
        draw(
                List.of(
                        new HeatMap.Table(
                                "how sure each layer is of the word that the model says in the end",
                                "position",
                                numbered(tokens),
                                layers(said.size()),
                                shares,
                                0,
                                1)));
    }
}
