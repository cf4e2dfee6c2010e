package dev.blockscope.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.common.primitives.Bytes;
import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.FrameCode;
import dev.blockscope.Globals;
import dev.blockscope.Limits;
import dev.blockscope.SerializedFrame;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class EnvelopeTest {
    private BlockEngine engine;

    /** The engine on the other side. */
    private BlockEngine elsewhere;

    @BeforeAll
    void open() {
        engine = BlockEngine.create();
        elsewhere = BlockEngine.create();
    }

    @AfterAll
    void close() {
        engine.close();
        elsewhere.close();
    }

    private Object runElsewhere(Block block) {
        return Envelope.read(Envelope.of(block).toBytes()).capture(elsewhere).run().value();
    }

    private Envelope envelope(String text, Map<String, Object> locals) {
        return Envelope.of(engine.capture(text, Frame.of(locals)));
    }

    @Test
    void aBlockRunsElsewhereAsItWouldHere() {
        Block block =
                engine.capture(
                        "total = price * quantity; [total, label.n]",
                        Frame.of(
                                new HashMap<>(
                                        Map.of(
                                                "price",
                                                3,
                                                "quantity",
                                                4,
                                                "label",
                                                Map.of("n", 1)))));
        assertThat(runElsewhere(block)).isEqualTo(List.of(12, 1));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    x + 1                                     | x
                    y = x                                     | x
                    (x) + 1                                   | x
                    (x)++                                     | x
                    ++((x))                                   | x
                    \\u0078 + 1                               | x
                    y = \\u{78}                               | x,y
                    (() => ({ \\u0078 }))()                   | x
                    y + 'caf\\u00e9'                          | y
                    globalThis['\\u0078']                    | x,y,o
                    global\\u{054}his[o]                     | x,y,o
                    ( (x)) + /1/.lastIndex                    | x
                    y = 1                                     | ''
                    o.x + o['y']                              | o
                    (() => (() => x)())()                     | x
                    function f(x) { return x + y } f(1)       | y
                    let x = 1; x                              | ''
                    typeof x                                  | x
                    x += 1                                    | x
                    ({ x: 1, y })                             | y
                    `${x} y`                                  | x
                    const { x } = o; x                        | o
                    const { y: x = 1 } = o; typeof x          | o
                    [o].map(({ x, y }) => x + y)              | o
                    // x                                      | ''
                    var x; x = x + 1                          | x
                    eval('1')                                 | x,y,o
                    globalThis['x']                           | x
                    """)
    void theValuesOfExactlyTheNamesThatAreReadTravel(String text, String names) {
        Map<String, Object> locals = new LinkedHashMap<>();
        locals.put("x", 1);
        locals.put("y", 2);
        locals.put("o", Map.of("x", 3));
        assertThat(envelope(text, locals).values().keySet())
                .containsExactlyInAnyOrder(names.isEmpty() ? new String[0] : names.split(","));
    }

    @Test
    void whatSiblingsAndGlobalsBindTravelsToo() {
        Frame frame = Frame.of(new HashMap<>(), Globals.of(Map.of("rate", 7)));
        engine.capture("factor = 2", frame).evaluate();
        assertThat(runElsewhere(engine.capture("rate * factor", frame))).isEqualTo(14);
    }

    @Test
    void aNameThatNothingBindsIsAnErrorThere() {
        assertThatThrownBy(() -> runElsewhere(engine.capture("nowhere", Frame.empty())))
                .isInstanceOf(BlockException.class)
                .hasMessage("ReferenceError: nowhere is not defined");
    }

    /** Case H3. */
    @Test
    void whatCannotTravelIsRefusedOnlyIfItIsRead() {
        Map<String, Object> locals = new HashMap<>(Map.of("x", 1, "conn", new Socket()));
        assertThat(runElsewhere(engine.capture("x + 1", Frame.of(locals)))).isEqualTo(2);
        Envelope envelope = envelope("conn.port + x", locals);
        assertThatThrownBy(envelope::toBytes)
                .isInstanceOf(UnsendableException.class)
                .hasMessageStartingWith("variable 'conn' (java.net.Socket) cannot be sent");
    }

    @Test
    void errorsThereShowTheFileAndTheLineOfTheCaller() {
        FrameCode code = new FrameCode("steer.js", 40, "hook");
        Block block =
                engine.capture(
                        "let a = 1;\n  fail()", Frame.of(new HashMap<>(), Globals.none(), code));
        BlockException e = catchThrowableOfType(BlockException.class, () -> runElsewhere(block));
        assertThat(e.traceback().innermost().file()).isEqualTo("steer.js");
        assertThat(e.traceback().innermost().line()).isEqualTo(41);
        assertThat(e.traceback().innermost().column()).isEqualTo(3);
    }

    @Test
    void theFrameThereIsASerializedOneAndIsPushedInto() {
        Block there =
                Envelope.read(envelope("n = x + 1", new HashMap<>(Map.of("x", 1))).toBytes())
                        .capture(elsewhere);
        assertThat(there.frame()).isInstanceOf(SerializedFrame.class);
        there.run();
        assertThat(there.frame().snapshot()).isEqualTo(Map.of("n", 2));
    }

    @Test
    void limitsTravel() {
        Limits limits = Limits.builder().time(Duration.ofMillis(70)).statements(1_000).build();
        Block block = engine.capture("for (;;);", Frame.empty()).within(limits);
        Block there = Envelope.read(Envelope.of(block).toBytes()).capture(elsewhere);
        assertThat(there.limits()).isEqualTo(limits);
    }

    @Test
    void anEnvelopeIsSmall() {
        Map<String, Object> locals = new LinkedHashMap<>();
        StringBuilder text = new StringBuilder("0");
        for (int i = 0; i < 10; i++) {
            locals.put("name" + i, i);
            text.append(" + name").append(i);
        }
        byte[] bytes = envelope(text.toString(), locals).toBytes();
        int own = text.length() + 10 * ("name0".length() + 1);
        assertThat(bytes.length - own).isLessThanOrEqualTo(300);
    }

    /** Case H5: written by hand after the page "The envelope", with no class of ours. */
    @Test
    void anEnvelopeOfAnotherProgramIsRead() {
        byte[] foreign =
                HexFormat.of()
                        .parseHex(
                                "a7" // a map of seven
                                        + "6a626c6f636b73636f7065"
                                        + "01" // "blockscope": 1
                                        + "686c616e6775616765"
                                        + "626a73" // "language": "js"
                                        + "666f726967696e"
                                        + "83"
                                        + "64612e6a73"
                                        + "03"
                                        + "05"
                                        + "656672616d65"
                                        + "83"
                                        + "64612e6a73"
                                        + "01"
                                        + "60"
                                        + "6474657874"
                                        + "6578202b2079" // "text": "x + y"
                                        + "6676616c756573"
                                        + "a2" // "values"
                                        + "6178"
                                        + "05"
                                        + "6179"
                                        + "fb3ff8000000000000" // 5, 1.5
                                        + "666c696d697473"
                                        + "a0");
        Envelope envelope = Envelope.read(foreign);
        assertThat(envelope.source()).isEqualTo(new BlockSource("js", "x + y", "a.js", 3, 5));
        assertThat(envelope.capture(elsewhere).run().value()).isEqualTo(6.5);
    }

    /** Also where what follows is nothing that this version has. */
    @ParameterizedTest
    @CsvSource({
        "00, 0",
        "02, 2",
        "17, 23",
        "1818, 24",
        "20, -1",
        "1b0000000100000000, 4294967296",
        "c249010000000000000001, 18446744073709551617"
    })
    void anOlderAndANewerVersionSayWhichAndWhatToDo(String hex, String version) {
        byte[] bytes = envelope("1", Map.of()).toBytes();
        int at = 1 + 1 + "blockscope".length();
        byte[] head = Arrays.copyOf(bytes, at);
        byte[] tail = Arrays.copyOfRange(bytes, at + 1, bytes.length);
        byte[] changed = Bytes.concat(head, HexFormat.of().parseHex(hex), tail);
        byte[] foreign = Bytes.concat(head, HexFormat.of().parseHex(hex + "6474696d65f7"));
        for (byte[] other : List.of(changed, foreign)) {
            assertThatThrownBy(() -> Envelope.read(other))
                    .isInstanceOf(EnvelopeException.class)
                    .hasMessage(
                            "the envelope is of version %s, and version 1 is what can be read here; use the same release of blockscope on both sides",
                            version);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "00", "a0", "ff", "6161", "a16161", "bfff", "d9d9f7a0"})
    void whatIsNoEnvelopeSaysSo(String hex) {
        assertThatThrownBy(() -> Envelope.read(HexFormat.of().parseHex(hex)))
                .isInstanceOf(EnvelopeException.class)
                .hasMessageContaining("envelope");
    }

    /** As text they travel. */
    @Test
    void aNameThatIsNoUnicodeTextIsToldToBeOne() {
        Block ofFile = engine.capture(BlockSource.javaScript("1", "a\ud83d.js"), Frame.empty());
        Block binding = engine.capture("globalThis['\ud83d']", Frame.of(Map.of("\ud83d", 1)));
        for (Block block : List.of(ofFile, binding)) {
            Envelope envelope = Envelope.of(block);
            assertThatThrownBy(envelope::toBytes)
                    .isInstanceOf(EnvelopeException.class)
                    .hasMessageContaining("that is no Unicode text; give it another");
        }
        assertThatThrownBy(() -> RemoteDescription.toBytes("\ud83d"))
                .isInstanceOf(EnvelopeException.class);
    }

    @Test
    void bytesBehindAnEnvelopeAreAnError() {
        byte[] bytes = envelope("1", Map.of()).toBytes();
        byte[] more = Arrays.copyOf(bytes, bytes.length + 1);
        assertThatThrownBy(() -> Envelope.read(more))
                .isInstanceOf(EnvelopeException.class)
                .hasMessageContaining("more bytes than one envelope");
    }

    @Test
    void everyShorterPieceOfAnEnvelopeIsAnError() {
        byte[] bytes =
                envelope("[x, y]", new HashMap<>(Map.of("x", List.of(1, "a"), "y", 1L))).toBytes();
        for (int length = 0; length < bytes.length; length++) {
            byte[] piece = Arrays.copyOf(bytes, length);
            assertThatThrownBy(() -> Envelope.read(piece))
                    .as("%d bytes", length)
                    .isInstanceOf(EnvelopeException.class);
        }
    }
}
