package dev.blockscope;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import org.graalvm.polyglot.Source;

/** The parts of the engine that are written in the guest's language. */
final class GuestScripts {
    private GuestScripts() {}

    /**
     * Reads a script beside this class. Its frames are in no traceback.
     *
     * @throws IllegalStateException if it is not there
     */
    static Source read(String name) {
        try (InputStream bytes = GuestScripts.class.getResourceAsStream(name)) {
            if (bytes == null) {
                throw new IllegalStateException(
                        "the resource dev/blockscope/%s was not found; blockscope-engine must be a whole jar"
                                .formatted(name));
            }
            Reader text = new InputStreamReader(bytes, StandardCharsets.UTF_8);
            return Source.newBuilder(BlockSource.JAVASCRIPT, text, "blockscope-" + name)
                    .internal(true)
                    .build();
        } catch (IOException e) {
            throw new IllegalStateException(
                    "the resource dev/blockscope/%s could not be read".formatted(name), e);
        }
    }
}
