package dev.blockscope;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What a browser's developer tools see of a block by way of GraalVM's inspector. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InspectorTest {
    private List<String> seen;

    /** The inspector is switched on for a whole JVM. */
    @BeforeAll
    void inspect() throws Exception {
        seen = OwnJvm.run(InspectedBlock.class);
    }

    private List<String> seenOf(String what) {
        return seen.stream()
                .filter(line -> line.startsWith(what + ": "))
                .map(line -> line.substring(what.length() + 2))
                .toList();
    }

    @Test
    void aBreakpointStopsABlockAtItsLineInItsFile() {
        assertThat(seenOf("paused")).containsExactly("rules.js:45");
    }

    @Test
    void aBlockThatIsStoppedShowsItsNames() {
        assertThat(seenOf("total")).containsExactly("12");
    }

    @Test
    void aBlockGoesOnAfterItWasStopped() {
        assertThat(seenOf("value")).containsExactly("12");
    }

    @Test
    void coverageCountsTheLinesThatRanAndNoOthers() {
        assertThat(seenOf("covered")).containsExactlyInAnyOrder("41", "42", "45", "47");
    }

    @Test
    void noTextIsShownButTheUsersOwn() {
        assertThat(seenOf("shown")).containsExactly("rules.js");
    }
}
