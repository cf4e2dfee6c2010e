package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the user learns when a block fails: where, why, and from which exception of the host. */
class BlockExceptionEdgesTest {
    private static BlockEngine engine;

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    private static BlockException failure(String text, Frame frame) {
        Block block = engine.capture(text, frame);
        BlockException e = catchThrowableOfType(BlockException.class, block::run);
        assertThat(e).as("the block fails").isNotNull();
        return e;
    }

    private static List<String> places(BlockException e) {
        return e.traceback().entries().stream()
                .filter(Traceback.Entry::guest)
                .map(entry -> entry.line() + ":" + entry.column())
                .toList();
    }

    /** Host code that throws, as the service {@code svc} of a frame. */
    private static Frame serviceThatThrows(Exception thrown) {
        Callable<Object> boom =
                () -> {
                    throw thrown;
                };
        return frame("svc", Map.of("boom", boom));
    }

    @Test
    void aRoundTripOfJavaSerializationKeepsEverything() throws Exception {
        BlockException e = failureOfAClosedEngine();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(e);
        }

        BlockException read;
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            read = (BlockException) in.readObject();
        }

        assertThat(read).hasMessage(e.getMessage()).hasRootCauseMessage("root");
        assertThat(read.kind()).isEqualTo(e.kind());
        assertThat(read.traceback()).isEqualTo(e.traceback());
        assertThat(read.bindings()).isEqualTo(e.bindings());
        assertThat(read.getStackTrace()).isEqualTo(e.getStackTrace());
        assertThat(read.getCause()).isInstanceOf(IOException.class).hasMessage("disk");
    }

    @Test
    void thatCallsBackDoesNotHideTheUsersLine() {
        Consumer<GuestFunction> each = f -> f.call(1);
        Frame frame = frame("svc", Map.of("each", each));

        BlockException e = failure("svc.each(x => {\n  nope(x)\n})", frame);

        assertThat(e).hasMessage("ReferenceError: nope is not defined");
        assertThat(places(e)).containsExactly("2:3", "1:1");
    }

    @Test
    void ofEndlessRecursionThroughTheHostAreShort() {
        Consumer<GuestFunction> call = f -> f.call(f);
        Frame frame = frame("svc", Map.of("call", call));

        BlockException e = failure("function r() { return svc.call(r) } r()", frame);

        assertThat(e.kind()).isEqualTo(BlockException.Kind.LIMIT);
        assertThat(e.getStackTrace()).hasSizeBetween(1, 100);
        assertThat(engine.capture("1 + 1", frame()).run().value()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = " :: ",
            quoteCharacter = '"',
            textBlock =
                    """
                    async function :: (async () => {¶  throw new Error('lost') })()
                    after await    :: (async () => {¶  await null; nope })()
                    then           :: Promise.resolve(1).then(v => {¶  nope(v) })
                    rejection      :: 1;¶Promise.reject(new Error('lost'))
                    """)
    void ofAnUnhandledRejectionAreThoseOfTheUsersText(String form, String text) {
        BlockException e = failure(text.replace('¶', '\n'), frame());

        assertThat(e.traceback().innermost().line()).isEqualTo(2);
    }

    private static BlockException failureOfAClosedEngine() {
        try (BlockEngine shortLived = BlockEngine.create()) {
            Frame frame = serviceThatThrows(new IOException("disk", new RuntimeException("root")));
            String text =
                    "let a = { b: 1 };\ntry { svc.boom() } catch (e) { throw new Error('top', { cause: e }) }";
            Block block = shortLived.capture(text, frame);
            return catchThrowableOfType(BlockException.class, block::run);
        }
    }
}
