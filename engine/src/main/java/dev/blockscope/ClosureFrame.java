package dev.blockscope;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The frame of the program that makes one function anew: the function's variables are nobody
 * else's. It lives in the realm of the frame whose block uses the function.
 */
final class ClosureFrame extends Frame {
    private final Frame around;

    ClosureFrame(Frame around, BlockSource program) {
        super(new FrameCode(program.file(), program.line(), ""));
        this.around = around;
    }

    @Override
    public Globals globals() {
        return Globals.none();
    }

    @Override
    public Map<String, @Nullable Object> snapshot() {
        return new LinkedHashMap<>();
    }

    @Override
    public void push(Map<String, ? extends @Nullable Object> bindings) {
        throw new AssertionError("a function's variables are not pushed");
    }

    @Override
    Frame tenant(BlockEngine engine) {
        return around.tenant(engine);
    }
}
