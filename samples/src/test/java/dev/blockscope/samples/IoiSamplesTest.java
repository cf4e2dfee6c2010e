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
        assertThat(out()).contains("John gave a drink to -> Mary", "Mary gave a drink to -> John");

        // The sentence differs in word 10; it is answered at word 14, the last.
        List<Double> first = row("layer 0");
        List<Double> last = row("layer 2");
        assertThat(first.get(10)).isGreaterThan(0.5);
        assertThat(first.get(14)).isLessThan(0.5);
        assertThat(last.get(10)).isLessThan(0.1);
        assertThat(last.get(14)).isBetween(0.99, 1.01);
        assertThat(first.subList(0, 10)).allSatisfy(share -> assertThat(share).isZero());
        assertThat(picture()).isNotEmptyFile();
    }

    @Test
    void theLastLayerSaysWhatTheModelSays() {
        assertThat(run(new LogitLens())).isEqualTo(0);
        assertThat(err()).isEmpty();
        assertThat(out().lines().filter(line -> line.startsWith("layer 2")))
                .singleElement()
                .satisfies(line -> assertThat(line).endsWith(" Mary"));
        assertThat(picture()).isNotEmptyFile();
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
