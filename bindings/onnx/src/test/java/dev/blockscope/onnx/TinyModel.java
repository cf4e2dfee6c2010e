package dev.blockscope.onnx;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Writes a small ONNX file for a test, with the field numbers of the ONNX format. */
final class TinyModel {
    private final WireWriter graph = new WireWriter().text(2, "tiny");

    /** A perceptron of two scoped layers that reads {@code x}, float32 [rows, 2]. */
    static TinyModel perceptron() {
        return new TinyModel()
                .input("x", DType.FLOAT32, "rows", "2")
                .output("y", DType.FLOAT32)
                .floats("w0", List.of(2L, 2L), 1, 2, 3, 4)
                .floats("w1", List.of(2L, 2L), 0, 1, 1, 0)
                .node("MatMul", "/net/layer.0/MatMul", "x w0", "h0")
                .node("Relu", "/net/layer.0/act/Relu", "h0", "h1")
                .node("MatMul", "/net/layer.1/MatMul", "h1 w1", "h2")
                .node("Relu", "/net/layer.1/act/Relu", "h2", "y");
    }

    TinyModel input(String name, DType type, String... dims) {
        graph.message(11, value(name, type, dims));
        return this;
    }

    TinyModel output(String name, DType type, String... dims) {
        graph.message(12, value(name, type, dims));
        return this;
    }

    TinyModel floats(String name, List<Long> dims, float... values) {
        ByteBuffer raw =
                ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        raw.asFloatBuffer().put(values);
        WireWriter tensor = new WireWriter();
        dims.forEach(dim -> tensor.integer(1, dim));
        graph.message(5, tensor.integer(2, 1).text(8, name).raw(9, raw));
        return this;
    }

    /** Adds a scalar constant. */
    TinyModel whole(String name, long value) {
        ByteBuffer raw = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        raw.asLongBuffer().put(value);
        graph.message(5, new WireWriter().integer(2, 7).text(8, name).raw(9, raw));
        return this;
    }

    /** Adds a matrix of bytes, or one byte if there are no sizes. */
    TinyModel bytes(String name, List<Long> dims, int... values) {
        ByteBuffer raw = ByteBuffer.allocate(values.length);
        for (int value : values) {
            raw.put((byte) value);
        }
        WireWriter tensor = new WireWriter();
        dims.forEach(dim -> tensor.integer(1, dim));
        graph.message(5, tensor.integer(2, DType.INT8.code()).text(8, name).raw(9, raw.flip()));
        return this;
    }

    /** Adds a list of whole numbers. */
    TinyModel wholes(String name, long... values) {
        ByteBuffer raw =
                ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        raw.asLongBuffer().put(values);
        WireWriter tensor = new WireWriter().integer(1, values.length).integer(2, 7);
        graph.message(5, tensor.text(8, name).raw(9, raw));
        return this;
    }

    /** Adds a weight that lies in a file beside the model. */
    TinyModel beside(String name, List<Long> dims, String file, long offset, long length) {
        WireWriter tensor = new WireWriter();
        dims.forEach(dim -> tensor.integer(1, dim));
        tensor.integer(2, 1).text(8, name);
        tensor.message(13, new WireWriter().text(1, "location").text(2, file));
        tensor.message(13, new WireWriter().text(1, "offset").text(2, Long.toString(offset)));
        tensor.message(13, new WireWriter().text(1, "length").text(2, Long.toString(length)));
        graph.message(5, tensor.integer(14, 1));
        return this;
    }

    /** Returns this graph as an attribute of a node that runs it. */
    WireWriter asAttribute(String name) {
        return new WireWriter().text(1, name).message(6, graph).integer(20, 5);
    }

    /** Adds a node; inputs and outputs are separated by spaces. */
    TinyModel node(String operator, String name, String inputs, String outputs) {
        return node(operator, name, inputs, outputs, List.of());
    }

    /** Adds a node with attributes. */
    TinyModel node(
            String operator,
            String name,
            String inputs,
            String outputs,
            List<WireWriter> attributes) {
        WireWriter node = new WireWriter();
        if (!inputs.isEmpty()) {
            List.of(inputs.split(" ", -1)).forEach(input -> node.text(1, input));
        }
        List.of(outputs.split(" ", -1)).forEach(output -> node.text(2, output));
        node.text(3, name).text(4, operator);
        attributes.forEach(attribute -> node.message(5, attribute));
        graph.message(1, node);
        return this;
    }

    /** Adds a node that converts to another element type. */
    TinyModel cast(String name, String input, String output, DType to) {
        WireWriter attribute = new WireWriter().text(1, "to").integer(3, to.code()).integer(20, 2);
        return node("Cast", name, input, output, List.of(attribute));
    }

    byte[] toByteArray() {
        return toByteArray(17);
    }

    /** Returns the file with a version of the operators of its own. */
    byte[] toByteArray(int version) {
        WireWriter opset = new WireWriter().text(1, "").integer(2, version);
        return new WireWriter().integer(1, 8).message(7, graph).message(8, opset).toByteArray();
    }

    /** Writes the file into a folder. */
    Path writeTo(Path folder) {
        return write(folder, toByteArray());
    }

    static Path write(Path folder, byte[] bytes) {
        try {
            return Files.write(folder.resolve("tiny.onnx"), bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static WireWriter value(String name, DType type, String... dims) {
        List<WireWriter> shape = new ArrayList<>();
        for (String dim : dims) {
            boolean fixed = dim.chars().allMatch(Character::isDigit);
            shape.add(
                    fixed
                            ? new WireWriter().integer(1, Long.parseLong(dim))
                            : new WireWriter().text(2, dim));
        }
        WireWriter tensor = new WireWriter().integer(1, type.code());
        if (dims.length > 0) {
            WireWriter all = new WireWriter();
            shape.forEach(dim -> all.message(1, dim));
            tensor.message(2, all);
        }
        return new WireWriter().text(1, name).message(2, new WireWriter().message(1, tensor));
    }
}
