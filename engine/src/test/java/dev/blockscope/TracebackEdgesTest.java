package dev.blockscope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blockscope.Traceback.Entry;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A traceback as plain data: what is kept, what is dropped, and how it reads. */
class TracebackEdgesTest {

    private static Entry guest(String file, int line, int column, String function, String source) {
        return new Entry(file, line, column, function, source, true);
    }

    private static Traceback traceback(Entry... entries) {
        return new Traceback("Error: boom", List.of(entries));
    }

    @Test
    void leavesAColumnOutThatIsUnknown() {
        assertThat(traceback(guest("a.js", 3, 0, "f", "nope")).render())
                .doesNotContain(":0")
                .contains("at f (a.js:3)");
    }
}
