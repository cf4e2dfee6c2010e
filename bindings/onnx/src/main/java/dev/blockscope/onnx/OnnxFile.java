package dev.blockscope.onnx;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;

/**
 * What a model file holds, without its weights.
 *
 * @param path the file, absolute
 * @param irVersion the version of the format it is written in
 * @param opsets the operator sets it uses, as the file has them
 * @param functions the functions it defines, as the file has them
 * @param graph its graph
 */
record OnnxFile(
        Path path,
        long irVersion,
        List<ByteBuffer> opsets,
        List<ByteBuffer> functions,
        Graph graph) {

    OnnxFile {
        opsets = List.copyOf(opsets);
        functions = List.copyOf(functions);
    }

    /**
     * Reads a file. Its bytes are mapped for the time of the call and not kept.
     *
     * @throws OnnxFileException if it is missing, damaged or no ONNX file
     */
    static OnnxFile read(Path file) throws OnnxFileException {
        Path path = file.toAbsolutePath();
        if (!Files.exists(path)) {
            throw new OnnxFileException(path, "there is no such file");
        }
        if (!Files.isRegularFile(path)) {
            throw new OnnxFileException(path, "it is a directory or a device, not a file");
        }
        try (FileChannel channel = FileChannel.open(path);
                Arena arena = Arena.ofConfined()) {
            long size = channel.size();
            if (size == 0) {
                throw new OnnxFileException(path, "the file is empty");
            }
            if (size > Integer.MAX_VALUE) {
                throw tooLarge(path, size);
            }
            MemorySegment bytes = channel.map(FileChannel.MapMode.READ_ONLY, 0, size, arena);
            OnnxFile read = parse(path, bytes.asByteBuffer());
            for (Initializer constant : read.graph().initializers().values()) {
                if (constant instanceof Initializer.Repeated repeated
                        && repeated.beside().isPresent()) {
                    repeated.beside().get().check(path, repeated.name());
                }
            }
            return read;
        } catch (OnnxFileException e) {
            throw e;
        } catch (IOException e) {
            throw new OnnxFileException(path, -1, "it cannot be read (" + e + ")", e);
        }
    }

    private static OnnxFileException tooLarge(Path path, long size) {
        return new OnnxFileException(
                path,
                "it is %d bytes, the format allows %d (larger models keep their weights beside the file)"
                        .formatted(size, Integer.MAX_VALUE));
    }

    /**
     * Reads the bytes of a file.
     *
     * @throws OnnxFileException if they are damaged or no ONNX file
     */
    static OnnxFile parse(Path path, ByteBuffer bytes) throws OnnxFileException {
        try {
            return new ModelReader(path).read(new WireReader(path, bytes));
        } catch (OnnxFileException e) {
            if (looksLikeProtobuf(bytes)) {
                throw e;
            }
            byte[] head = new byte[Math.min(8, bytes.limit())];
            bytes.get(0, head);
            String begin = HexFormat.ofDelimiter(" ").formatHex(head);
            String what = "it does not look like an ONNX file, it begins with the bytes " + begin;
            throw new OnnxFileException(path, 0, what, e);
        }
    }

    /** An ONNX file begins with its version, field 1, a small integer: bytes 08 and 01 to 1f. */
    private static boolean looksLikeProtobuf(ByteBuffer bytes) {
        return bytes.get(0) == 0x08
                && (bytes.limit() < 2 || (bytes.get(1) > 0 && bytes.get(1) < 32));
    }
}
