package dev.blockscope;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for a frame when a block is shipped: it keeps the place of the code and nothing of the
 * variables. Its locals and globals start empty, and a push into it is a plain update of its
 * locals.
 *
 * <p>Two serialized frames with the same code are equal. Blocks still share by the identity of the
 * frame object, as with every frame.
 *
 * @since 0.1
 */
public final class SerializedFrame extends Frame {
    private final Map<String, @Nullable Object> locals = new LinkedHashMap<>();

    private SerializedFrame(FrameCode code) {
        super(code);
    }

    /** Returns a stand-in for {@code frame}: its code, and none of its variables. */
    public static SerializedFrame of(Frame frame) {
        return of(frame.code());
    }

    /** Returns a stand-in for the frame of a code. */
    public static SerializedFrame of(FrameCode code) {
        return new SerializedFrame(code);
    }

    @Override
    public Globals globals() {
        return Globals.none();
    }

    @Override
    public Map<String, @Nullable Object> snapshot() {
        return new LinkedHashMap<>(locals);
    }

    @Override
    public void push(Map<String, ? extends @Nullable Object> bindings) {
        locals.putAll(bindings);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SerializedFrame frame && frame.code().equals(code());
    }

    @Override
    public int hashCode() {
        return code().hashCode();
    }

    @Override
    public String toString() {
        return "SerializedFrame[%s:%d %s]"
                .formatted(code().file(), code().firstLine(), code().name());
    }
}
