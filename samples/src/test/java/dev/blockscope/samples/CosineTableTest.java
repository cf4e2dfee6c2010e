package dev.blockscope.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class CosineTableTest {

    private static final List<String> TEXTS = List.of("north", "east");
    private static final CosineTable APART = table(new float[] {0, 2}, new float[] {3, 0});
    private static final CosineTable CLOSER = table(new float[] {1, 1}, new float[] {3, 0});

    @Test
    void textsInTheSameDirectionHaveCosineOne() {
        assertThat(APART.at(0, 0)).isEqualTo(1);
        assertThat(APART.at(0, 1)).isEqualTo(0);
    }

    @Test
    void theLargestChangeIsFoundInAnyCell() {
        assertThat(APART.largestChange(CLOSER)).isEqualTo(Math.sqrt(0.5), within(1e-9));
        assertThat(APART.largestChange(APART)).isEqualTo(0);
    }

    @Test
    void printsARowForEachText() {
        assertThat(APART.render())
                .isEqualTo(
                        """
                                       1      2
                          1 north  1.000  0.000
                          2 east   0.000  1.000\
                        """);
    }

    private static CosineTable table(float[]... embeddings) {
        return CosineTable.of(TEXTS, List.of(embeddings));
    }
}
