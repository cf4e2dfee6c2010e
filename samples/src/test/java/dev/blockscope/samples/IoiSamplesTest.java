package dev.blockscope.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The samples on tiny-ioi give the textbook picture. */
class IoiSamplesTest extends RecipeRuns {
    @Test
    void patchingMovesFromTheNameThatDiffersToTheLastPosition() {
        assertThat(run(new PatchIoi())).isEqualTo(0);
        assertThat(err()).isEmpty();
        assertThat(out())
                .contains("John gave a drink to -> Mary", "Mary gave a drink to -> John")
                .containsPattern(
                        "logit difference Mary - John: clean 7\\.\\d+, corrupted -6\\.\\d+");

        // The sentence differs in word 10; it is answered at word 14, the last.
        assertKeptAt(10, row("layer 0"));
        assertKeptAt(10, row("layer 1"));
        assertKeptAt(14, row("layer 2"));
        assertThat(row("layer 0").subList(0, 10))
                .as("where the sentences are one")
                .allSatisfy(share -> assertThat(share).isZero());
        assertShowsPicture();
    }

    private static void assertKeptAt(int position, List<Double> shares) {
        assertThat(shares).hasSize(15);
        for (int i = 0; i < shares.size(); i++) {
            assertThat(shares.get(i))
                    .as("position %d", i)
                    .isBetween(i == position ? 0.95 : -0.05, i == position ? 1.05 : 0.05);
        }
    }

    @Test
    void theLastLayerSaysWhatTheModelSays() {
        assertThat(run(new LogitLens())).isEqualTo(0);
        assertThat(err()).isEmpty();
        assertThat(out().lines().filter(line -> line.startsWith("layer ")))
                .satisfiesExactly(
                        first -> assertThat(first).doesNotEndWith(" Mary"),
                        second -> assertThat(second).endsWith(" Mary"),
                        third -> assertThat(third).endsWith(" Mary"));
        assertShowsPicture();
    }

    @Test
    void wordsThatTheModelDoesNotKnowAreNamed() {
        assertThat(run(new LogitLens(), "when Mary met Godot")).isEqualTo(2);
        assertThat(err()).startsWith("logit-lens: the model does not know the word \"met\"");
    }

    @Test
    void sentencesWithTheSameAnswerCannotBeCompared() {
        String sentence = "when Mary and John went to the store , John gave a drink to";

        assertThat(run(new PatchIoi(), "--corrupted", sentence)).isEqualTo(2);
        assertThat(err()).contains("both sentences go on with \"Mary\"");
    }
}
