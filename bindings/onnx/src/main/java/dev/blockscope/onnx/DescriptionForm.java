package dev.blockscope.onnx;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Descriptions of models as plain values that travel: maps of the names of the records' components.
 */
final class DescriptionForm {
    Map<String, Object> plain(ModelDescription description) {
        Map<String, Object> points = new LinkedHashMap<>();
        description.points().forEach((path, spec) -> points.put(path, plain(spec)));
        return Map.of(
                "inputs", description.inputs().stream().map(this::plain).toList(),
                "outputs", description.outputs().stream().map(this::plain).toList(),
                "parameters", description.parameters(),
                "tensors", description.tensors().stream().map(this::plain).toList(),
                "modules", description.modules().roots().stream().map(this::plain).toList(),
                "points", points);
    }

    private Map<String, Object> plain(TensorSpec spec) {
        List<Object> shape = new ArrayList<>();
        for (Dimension dimension : spec.shape()) {
            shape.add(List.of(dimension.name(), dimension.size()));
        }
        return Map.of("name", spec.name(), "dtype", spec.dtype().toString(), "shape", shape);
    }

    private Map<String, Object> plain(ModelModule module) {
        return Map.of(
                "name", module.name(),
                "path", module.path(),
                "inputs", module.inputs(),
                "outputs", module.outputs(),
                "parameters", module.parameters(),
                "children", module.children().stream().map(this::plain).toList());
    }

    /**
     * Makes a description of what was read.
     *
     * @throws IllegalArgumentException if it is none
     */
    ModelDescription description(@Nullable Object plain) {
        Fields fields = Fields.of(plain);
        Map<String, TensorSpec> points = new LinkedHashMap<>();
        Fields made = fields.fields("points");
        made.names().forEach(path -> points.put(path, spec(made.get(path))));
        return new ModelDescription(
                fields.list("inputs").stream().map(this::spec).toList(),
                fields.list("outputs").stream().map(this::spec).toList(),
                fields.whole("parameters"),
                new ModuleTree(fields.list("modules").stream().map(this::module).toList()),
                fields.list("tensors").stream().map(this::spec).toList(),
                points);
    }

    private TensorSpec spec(@Nullable Object plain) {
        Fields fields = Fields.of(plain);
        return new TensorSpec(
                fields.text("name"),
                DType.of(fields.text("dtype")),
                fields.list("shape").stream().map(DescriptionForm::dimension).toList());
    }

    private static Dimension dimension(@Nullable Object plain) {
        if (plain instanceof List<?> row
                && row.size() == 2
                && row.get(0) instanceof String name
                && row.get(1) instanceof Number size) {
            return new Dimension(name, size.longValue());
        }
        throw new IllegalArgumentException("a dimension is a name and a size, found " + plain);
    }

    private ModelModule module(@Nullable Object plain) {
        Fields fields = Fields.of(plain);
        return new ModelModule(
                fields.text("name"),
                fields.text("path"),
                fields.list("inputs").stream().map(String::valueOf).toList(),
                fields.list("outputs").stream().map(String::valueOf).toList(),
                fields.whole("parameters"),
                fields.list("children").stream().map(this::module).toList());
    }

    /** A map that was read, each field asked for as what it must be. */
    private record Fields(Map<?, ?> read) {
        static Fields of(@Nullable Object plain) {
            if (plain instanceof Map<?, ?> map) {
                return new Fields(map);
            }
            throw new IllegalArgumentException("expected a map, found " + plain);
        }

        List<String> names() {
            return read.keySet().stream().map(String::valueOf).toList();
        }

        @Nullable Object get(String name) {
            return read.get(name);
        }

        Fields fields(String name) {
            return of(get(name));
        }

        String text(String name) {
            if (get(name) instanceof String text) {
                return text;
            }
            throw wrong(name, "a text");
        }

        long whole(String name) {
            Object number = get(name);
            if (number instanceof Integer || number instanceof Long) {
                return ((Number) number).longValue();
            }
            throw wrong(name, "a whole number");
        }

        List<?> list(String name) {
            if (get(name) instanceof List<?> list) {
                return list;
            }
            throw wrong(name, "a list");
        }

        private IllegalArgumentException wrong(String name, String expected) {
            return new IllegalArgumentException(
                    "\"%s\" is %s, expected %s".formatted(name, get(name), expected));
        }
    }
}
