package dev.blockscope.samples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.blockscope.Rendering;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

class TracebackTest {
    @Test
    void showsTheUsersLinesOfEveryFailureAndNothingOfTheLibrary() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        Traceback.tour(new PrintStream(bytes, true, UTF_8), Rendering.PLAIN);

        assertThat(bytes.toString(UTF_8))
                .contains(
                        "rules.js:41:23: TypeError: Cannot read property 'price' of undefined",
                        "at total (rules.js:42:24)",
                        "rules.js:42:5: SyntaxError: ",
                        "rules.js:41:1: {code: 7, why: \"no stock\"}",
                        "at keep (rules.js:42:3)",
                        "caused by: java.io.IOException: quota of 10 MB is used up",
                        "rules.js:44:9: Error: the order was not kept",
                        "also failed: rules.js:41:27: Error: one",
                        "cannot push \"price\"")
                .doesNotContain("dev.blockscope.", "org.graalvm", "com.oracle");
    }
}
