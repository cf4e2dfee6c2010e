package dev.blockscope.samples;

import static java.util.stream.Collectors.joining;

import com.google.common.base.Strings;
import dev.blockscope.onnx.ModelModule;
import dev.blockscope.onnx.OnnxModel;
import dev.blockscope.onnx.TensorSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Shows the modules of an ONNX file with their shapes and parameters, and how a block hooks them.
 * Of a file without module names it shows the tensors.
 */
@Command(
        name = "samples/run inspect",
        sortOptions = false,
        description = {
            "Shows what an ONNX file takes and makes, its modules with the shapes they make and",
            "the parameters they have, and how a block reads and replaces what a module makes.",
            ""
        })
final class Inspect extends Sample {

    @Option(
            names = "--depth",
            paramLabel = "LEVELS",
            description = "shows so many levels of modules (default: all)")
    private int depth = Integer.MAX_VALUE;

    @Option(
            names = "--tensors",
            description = "lists all tensors by their names in the file as well")
    private boolean tensors;

    @Parameters(paramLabel = "FILE", description = "an ONNX file")
    private Path file = Path.of("");

    /** A line of the table. */
    private record Row(String name, String parameters, String makes) {}

    Inspect() {
        super("inspect");
    }

    /**
     * Runs the sample; the exit status is 1 if the file cannot be opened and 2 for wrong arguments.
     */
    public static void main(String[] args) {
        System.exit(new Inspect().commandLine().execute(args));
    }

    @Override
    public Integer call() throws IOException {
        try (OnnxModel model = OnnxModel.open(file)) {
            print("%s: %,d parameters", file.getFileName(), model.parameters());
            model.inputs().forEach(input -> print("  takes  %s", input));
            model.outputs().forEach(output -> print("  makes  %s", output));
            if (model.modules().roots().isEmpty()) {
                print(
                        "%nThe nodes of this file carry no module names, so it has no modules; a block%nreaches its tensors by their names:%n");
                model.tensors().forEach(tensor -> print("  %s", tensor));
                hookedByName(model).ifPresent(tensor -> printHook(model, byName(tensor)));
                return CommandLine.ExitCode.OK;
            }
            printModules(model);
            if (tensors) {
                print("%nall tensors, which a block reaches as model.tensor('name').output%n");
                model.tensors().forEach(tensor -> print("  %s", tensor));
            }
            hooked(model, types(model))
                    .ifPresent(module ->
                            printHook(model, "model" + asCode(module.path()) + ".output"));
            return CommandLine.ExitCode.OK;
        }
    }

    private void printModules(OnnxModel model) {
        List<Row> rows = new ArrayList<>(List.of(new Row("module", "parameters", "makes")));
        Map<String, String> types = types(model);
        model.modules().roots().forEach(root -> collect(model, types, root, 0, rows));
        int width = rows.stream().mapToInt(row -> row.name().length()).max().orElse(0);
        int digits = rows.stream().mapToInt(row -> row.parameters().length()).max().orElse(0);
        print("");
        for (Row row : rows) {
            print(
                    "%s  %s  %s",
                    Strings.padEnd(row.name(), width, ' '),
                    Strings.padStart(row.parameters(), digits, ' '),
                    row.makes());
        }
    }

    /** The types of the tensors by name; what else a model makes, such as a list, has none. */
    private static Map<String, String> types(OnnxModel model) {
        Map<String, String> types = new HashMap<>();
        model.tensors().forEach(spec -> types.put(spec.name(), spec.type()));
        return types;
    }

    private void collect(
            OnnxModel model,
            Map<String, String> types,
            ModelModule module,
            int level,
            List<Row> rows) {
        if (level < depth) {
            String parameters =
                    module.parameters() == 0
                            ? ""
                            : String.format(Locale.ROOT, "%,d", module.parameters());
            String makes =
                    module.outputs().stream()
                            .map(name -> types.getOrDefault(name, "no tensor (" + name + ")"))
                            .collect(joining(", "));
            rows.add(
                    new Row(
                            "  ".repeat(level) + module.name(),
                            parameters,
                            makes + maker(model, module)));
            module.children().forEach(child -> collect(model, types, child, level + 1, rows));
        }
    }

    /** A module often makes what the last module in it makes: it is one tensor with two paths. */
    private static String maker(OnnxModel model, ModelModule module) {
        return model.modules().sharing(module).stream()
                .findFirst()
                .filter(first -> first.path().startsWith(module.path() + "."))
                .map(first -> "  the same as " + first.path())
                .orElse("");
    }

    /** A module to show the way with: one of a numbered row, if there is any. */
    private static Optional<ModelModule> hooked(OnnxModel model, Map<String, String> types) {
        List<ModelModule> all =
                model.modules().modules().stream()
                        .filter(module -> module.output().filter(types::containsKey).isPresent())
                        .toList();
        return all.stream()
                .filter(module -> module.path().matches(".*\\.\\d+"))
                .findFirst()
                .or(() -> all.stream().findFirst());
    }

    /** A tensor to show the way with: one that the model makes on its way, if there is any. */
    private static Optional<TensorSpec> hookedByName(OnnxModel model) {
        Set<TensorSpec> outside = new HashSet<>(model.inputs());
        outside.addAll(model.outputs());
        return model.tensors().stream()
                .filter(tensor -> !outside.contains(tensor))
                .findFirst()
                .or(() -> model.outputs().stream().findFirst());
    }

    private static String byName(TensorSpec tensor) {
        return "model.tensor('%s').output".formatted(tensor.name());
    }

    private void printHook(OnnxModel model, String output) {
        String inputs =
                model.inputs().stream()
                        .map(input -> "\"%s\", …".formatted(input.name()))
                        .collect(joining(", "));
        print(
                """

                how to hook it
                  OnnxModel model = OnnxModel.open(Path.of("%s"));
                  Map<String, Object> locals = new HashMap<>(Map.of("model", model.envoy()));
                  Block block = engine.capture("hidden = %s", Frame.of(locals));
                  model.trace(Map.of(%s), block);
                  Tensor hidden = (Tensor) locals.get("hidden");
                to replace it: "%s = %s.mul(2)"\
                """,
                file.getFileName(), output, inputs, output, output);
    }

    /** The path {@code encoder.layer.3} is written {@code .encoder.layer[3]} in a block. */
    private static String asCode(String path) {
        return Arrays.stream(path.split("\\.", -1)).map(Inspect::member).collect(joining());
    }

    private static String member(String part) {
        if (part.matches("\\d+")) {
            return "[" + part + "]";
        }
        return part.matches("[A-Za-z_$][\\w$]*") ? "." + part : "[\"" + part + "\"]";
    }
}
