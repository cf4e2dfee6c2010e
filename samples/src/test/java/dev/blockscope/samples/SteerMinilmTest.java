package dev.blockscope.samples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SteerMinilmTest extends RecipeRuns {

    @Test
    void steersAndChangesNothingButWhatTheBlockChanges() {
        assertThat(run(new SteerMinilm())).isEqualTo(0);
        assertThat(err()).isEmpty();
        assertThat(out())
                .startsWith("model    all-MiniLM-L6-v2")
                .contains("\nruntime  ")
                .contains("\ndifference without edits: 0.0 (")
                .containsPattern("\n    steered    \\[The engine makes .*, My car needs .*]\n")
                .doesNotContain("largest change of the table: 0.000");
        assertShowsPicture();
    }

    @Test
    void anErrorInTheBlockEndsWithTheUsersOwnLines() throws Exception {
        String block = write("a = 1\nb = a.size.of\n");

        assertThat(run(new SteerMinilm(), "--block", block, "one", "two")).isEqualTo(1);
        assertThat(err())
                .contains("my.js:2:5", "TypeError", "b = a.size.of", "^")
                .doesNotContain("dev.blockscope.", "com.oracle", "org.graalvm");
    }

    @Test
    void aMissingBlockIsNamed() {
        assertThat(run(new SteerMinilm(), "--block", "nowhere.js")).isEqualTo(2);
        assertThat(err()).startsWith("steer-minilm: there is no block nowhere.js");
    }

    @Test
    void oneSentenceIsTooFew() {
        assertThat(run(new SteerMinilm(), "alone")).isEqualTo(2);
        assertThat(err()).contains("two or more");
    }
}
