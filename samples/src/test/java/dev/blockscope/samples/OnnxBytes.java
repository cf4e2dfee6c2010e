package dev.blockscope.samples;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/** Writes a small ONNX file for a test, with the field numbers of the ONNX format. */
final class OnnxBytes {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private OnnxBytes() {}

    /** A model with a module that makes a list of tensors, and no shape anywhere. */
    static byte[] makingAList() {
        OnnxBytes graph =
                new OnnxBytes()
                        .node("Relu", "/net/first/Relu", "h", "x")
                        .node("SequenceConstruct", "/net/list/Construct", "both", "h", "x")
                        .node("ConcatFromSequence", "/net/last/Concat", "y", "both")
                        .text(2, "lists")
                        .message(11, floats("x"))
                        .message(12, floats("y"));
        OnnxBytes opset = new OnnxBytes().text(1, "").number(2, 17);
        return new OnnxBytes().number(1, 8).message(7, graph).message(8, opset).toByteArray();
    }

    private static OnnxBytes floats(String name) {
        OnnxBytes tensor = new OnnxBytes().message(1, new OnnxBytes().number(1, 1));
        return new OnnxBytes().text(1, name).message(2, tensor);
    }

    private OnnxBytes node(String operator, String name, String makes, String... reads) {
        OnnxBytes node = new OnnxBytes();
        for (String input : reads) {
            node.text(1, input);
        }
        node.text(2, makes).text(3, name).text(4, operator);
        if (operator.startsWith("Concat")) {
            node.message(5, new OnnxBytes().text(1, "axis").number(3, 0).number(20, 2));
        }
        return message(1, node);
    }

    private OnnxBytes number(int field, int value) {
        return varint(field << 3).varint(value);
    }

    private OnnxBytes text(int field, String text) {
        return delimited(field, text.getBytes(UTF_8));
    }

    private OnnxBytes message(int field, OnnxBytes message) {
        return delimited(field, message.toByteArray());
    }

    private OnnxBytes delimited(int field, byte[] content) {
        varint(field << 3 | 2).varint(content.length);
        bytes.writeBytes(content);
        return this;
    }

    private OnnxBytes varint(int value) {
        int rest = value;
        while (rest > 0x7f) {
            bytes.write((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        bytes.write(rest);
        return this;
    }

    private byte[] toByteArray() {
        return bytes.toByteArray();
    }
}
