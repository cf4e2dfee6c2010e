package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

/** What is drawn from a row of logits, and how often. */
class SamplingPropertyTest {
    @Provide
    Arbitrary<float[]> logits() {
        return Arbitraries.floats().between(-8, 8).array(float[].class).ofMinSize(1).ofMaxSize(30);
    }

    @Property(tries = 200)
    void theMostLikelyTokenIsTakenWhereNothingElseIsLeft(
            @ForAll("logits") float[] logits, @ForAll long seed) {
        Tensor row = Tensor.of(logits);
        double best = row.max();

        assertThat(logits[draw(new Sampling(0, 0, 1), row, seed)]).isEqualTo((float) best);
        assertThat(logits[draw(new Sampling(1, 1, 1), row, seed)]).isEqualTo((float) best);
        assertThat(logits[draw(new Sampling(1, 0, 1e-9), row, seed)]).isEqualTo((float) best);
    }

    @Property(tries = 200)
    void whatIsDrawnIsAmongTheKMostLikely(
            @ForAll("logits") float[] logits,
            @ForAll @IntRange(min = 1, max = 40) int k,
            @ForAll long seed) {
        int drawn = draw(new Sampling(2, k, 1), Tensor.of(logits), seed);

        long larger =
                IntStream.range(0, logits.length).filter(i -> logits[i] > logits[drawn]).count();
        assertThat(larger).isLessThan(k);
    }

    @Property(tries = 200)
    void theMoreLikelyOnesTogetherAreLessThanP(
            @ForAll("logits") float[] logits,
            @ForAll @DoubleRange(min = 0.05, max = 1) double p,
            @ForAll long seed) {
        Tensor row = Tensor.of(logits);
        double[] shares = row.to(DType.FLOAT64).softmax(-1).toDoubleArray();
        int drawn = draw(new Sampling(1, 0, p), row, seed);

        double larger = Arrays.stream(shares).filter(share -> share > shares[drawn]).sum();
        assertThat(larger).isLessThan(p);
    }

    @Example
    void eachIsDrawnAsOftenAsItIsLikely() {
        Tensor row = Tensor.of(new float[] {1, 0, 2, -1});
        Sampling sampling = new Sampling(0.7, 3, 1);
        SplittableRandom random = new SplittableRandom(7);
        int[] counts = new int[4];
        for (int i = 0; i < 20_000; i++) {
            counts[sampling.choose(row, random)]++;
        }

        double[] shares = Tensor.of(new double[] {1, 0, 2}).div(0.7).softmax(-1).toDoubleArray();
        for (int i = 0; i < 3; i++) {
            assertThat(counts[i] / 20_000.0).isCloseTo(shares[i], within(0.02));
        }
        assertThat(counts[3]).isZero();
    }

    private static int draw(Sampling sampling, Tensor row, long seed) {
        return sampling.choose(row, new SplittableRandom(seed));
    }
}
