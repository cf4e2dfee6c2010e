package dev.blockscope.onnx;

import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * How the next token is chosen from a row of logits: first the {@code topK} most likely are kept,
 * of these the most likely that together have the probability {@code topP}, and of these one is
 * drawn. All probabilities are those at the temperature.
 *
 * @param temperature what logits are divided by; 0 always takes the most likely
 * @param topK how many are kept; 0 for all
 * @param topP the probability that is kept, from more than 0 to 1
 */
record Sampling(double temperature, int topK, double topP) {
    private record Candidate(int token, double probability) {}

    /** Returns the index of a token. Of equally likely tokens the one with the lower index wins. */
    int choose(Tensor logits, RandomGenerator random) {
        if (temperature == 0) {
            return (int) logits.argmax();
        }
        List<Candidate> kept = kept(logits);
        double rest = random.nextDouble() * kept.stream().mapToDouble(Candidate::probability).sum();
        for (Candidate candidate : kept) {
            rest -= candidate.probability();
            if (rest < 0) {
                return candidate.token();
            }
        }
        // The sum may be rounded up.
        return kept.getLast().token();
    }

    /** Returns the tokens that may be drawn, the most likely first. */
    private List<Candidate> kept(Tensor logits) {
        double[] shares = logits.to(DType.FLOAT64).div(temperature).softmax(-1).toDoubleArray();
        List<Candidate> likely =
                IntStream.range(0, shares.length)
                        .mapToObj(token -> new Candidate(token, shares[token]))
                        .sorted(Comparator.comparingDouble(Candidate::probability).reversed())
                        .limit(topK == 0 ? shares.length : topK)
                        .toList();
        double needed = topP * likely.stream().mapToDouble(Candidate::probability).sum();
        double sum = 0;
        int count = 0;
        while (count < likely.size() && sum < needed) {
            sum += likely.get(count++).probability();
        }
        return likely.subList(0, Math.max(1, count));
    }
}
