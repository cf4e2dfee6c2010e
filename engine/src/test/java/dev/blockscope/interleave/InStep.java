package dev.blockscope.interleave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.SharedLocals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Tests of blocks in step with small computations. Whatever a test does, no thread stays leased and
 * no name stays shared.
 */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class InStep {
    final BlockEngine engine = BlockEngine.create();
    Map<String, Object> locals = new LinkedHashMap<>();
    Frame frame = Frame.of(locals);

    @BeforeEach
    void newFrame() {
        locals = new LinkedHashMap<>(Map.of("it", Envoy.of(points())));
        frame = Frame.of(locals);
    }

    @AfterEach
    void nothingIsLeft() {
        assertThat(engine.leasedThreads()).isZero();
        assertThat(SharedLocals.of(frame).names()).isEmpty();
    }

    @AfterAll
    void close() {
        engine.close();
    }

    /** Returns the points of the computation that blocks know as {@code it}. */
    abstract HookPoints points();

    Block block(String text) {
        return engine.capture(text, frame);
    }

    /** Returns a block of another file, that begins at line 11. */
    Block block(String file, String text) {
        return engine.capture(BlockSource.javaScript(text, file).startingAt(11, 1), frame);
    }

    List<Block> blocks(String... texts) {
        List<Block> blocks = new ArrayList<>();
        Arrays.stream(texts).map(this::block).forEach(blocks::add);
        return blocks;
    }

    <R, X extends Exception> Trace<R> trace(Computation<R, X> computation, String... texts)
            throws X {
        return Interleaver.of(points()).run(blocks(texts), computation);
    }

    /** Returns what a block fails with because of something it asked. */
    static HookException hookFailure(ThrowingCallable trace) {
        BlockException failure = catchThrowableOfType(BlockException.class, trace);
        assertThat(failure).isNotNull();
        assertThat(failure.getCause()).isInstanceOf(HookException.class);
        return (HookException) failure.getCause();
    }
}
