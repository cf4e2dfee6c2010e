package dev.blockscope.onnx;

import static com.google.common.base.Preconditions.checkArgument;

import dev.blockscope.Block;
import dev.blockscope.interleave.Trace;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Lets a causal language model go on with a text, token by token, in step with blocks. Each token
 * is a run of the model and so a visit of each of its hook points:
 *
 * <pre>{@code
 * Generator generator = Generator.builder(model).tokens(20).build();
 * Block block = engine.capture(
 *         "for (const step of model.all()) step.transformer.h[2].output.mul_(1.1)", frame);
 * generator.generate(tokenizer.encode("when Mary and John"), block).result().text(tokenizer);
 * }</pre>
 *
 * <p>A model with the inputs {@code past_key_values.…} and the outputs {@code present.…} keeps what
 * it made of the text before: at the first visit a block then sees all positions of the prompt, at
 * each further one the position of the new token only, and an edit stays in the cache. Without a
 * cache every visit has all positions, and an edit at one is gone at the next.
 *
 * <p>Immutable and safe for use by several threads.
 *
 * @since 0.1
 */
public final class Generator {
    private final OnnxModel model;
    private final Sampling sampling;
    private final long seed;
    private final int most;
    private final Set<Long> ends;
    private final boolean cached;

    private Generator(Builder builder) {
        this.model = builder.model;
        this.sampling = new Sampling(builder.temperature, builder.topK, builder.topP);
        this.seed = builder.seed;
        this.most = builder.tokens;
        this.ends = Set.copyOf(builder.ends);
        this.cached = builder.cached && StepInputs.hasCache(model.inputs());
    }

    /**
     * Returns a builder with the defaults: 20 tokens, the most likely each time, and a cache if the
     * model has one.
     *
     * @param model a model that makes {@code logits} of {@code input_ids}
     * @throws IllegalArgumentException if it does not
     * @since 0.1
     */
    public static Builder builder(OnnxModel model) {
        return new Builder(model);
    }

    /**
     * Goes on with a text. The same settings and text make the same tokens.
     *
     * @param blocks blocks that look in, in definition order; what they assign is pushed at the end
     * @return the new tokens, and what the blocks came to
     * @throws IllegalArgumentException if the text has no tokens or the model takes other inputs
     * @throws IllegalStateException if the model is closed
     * @throws OnnxRunException if ONNX Runtime fails, such as after more tokens than the model has
     *     positions for
     * @throws dev.blockscope.BlockException if a block fails; nothing is pushed then
     * @since 0.1
     */
    public Trace<Generated> generate(Tokens prompt, Block... blocks) {
        checkArgument(
                prompt.getSize() > 0, "the text has no tokens, there is nothing to go on with");
        return model.inStep(List.of(blocks), run -> generate(prompt, run));
    }

    private Generated generate(Tokens prompt, UnaryOperator<Map<String, Tensor>> run) {
        RandomGenerator random = new SplittableRandom(seed);
        StepInputs inputs = new StepInputs(model.inputs(), prompt.ids(), cached);
        List<Long> made = new ArrayList<>();
        boolean ended = false;
        while (made.size() < most && !ended) {
            Map<String, Tensor> outputs = run.apply(inputs.next());
            Tensor logits = outputs.get(Builder.LOGITS);
            if (logits == null) {
                throw new AssertionError("the model's outputs were checked");
            }
            long token = sampling.choose(logits.at(0, -1), random);
            inputs.add(token, outputs);
            made.add(token);
            ended = ends.contains(token);
        }
        return new Generated(made, ended);
    }

    /**
     * How a text goes on. Not safe for use by several threads.
     *
     * @since 0.1
     */
    public static final class Builder {
        private static final String IDS = "input_ids";
        private static final String LOGITS = "logits";

        private final OnnxModel model;
        private final Set<Long> ends = new LinkedHashSet<>();
        private int tokens = 20;
        private double temperature;
        private int topK;
        private double topP = 1;
        private long seed;
        private boolean cached = true;

        private Builder(OnnxModel model) {
            checkArgument(
                    has(model.inputs(), IDS) && has(model.outputs(), LOGITS),
                    "a generator needs a model that makes \"%s\" of \"%s\"; this one makes %s of %s",
                    LOGITS,
                    IDS,
                    model.outputs(),
                    model.inputs());
            this.model = model;
        }

        private static boolean has(List<TensorSpec> specs, String name) {
            return specs.stream().anyMatch(spec -> spec.name().equals(name));
        }

        /**
         * Sets how many tokens are made at most; 20 by default.
         *
         * @throws IllegalArgumentException if it is negative
         * @since 0.1
         */
        public Builder tokens(int most) {
            checkArgument(most >= 0, "tokens is %s, expected at least 0", most);
            tokens = most;
            return this;
        }

        /**
         * Adds a token that ends the text.
         *
         * @param id its number in the vocabulary
         * @since 0.1
         */
        public Builder endAt(long id) {
            ends.add(id);
            return this;
        }

        /**
         * Sets what logits are divided by before a token is drawn; 0, the default, takes the most
         * likely.
         *
         * @throws IllegalArgumentException if it is negative or not finite
         * @since 0.1
         */
        public Builder temperature(double value) {
            checkArgument(
                    value >= 0 && Double.isFinite(value),
                    "temperature is %s, expected a number from 0",
                    value);
            temperature = value;
            return this;
        }

        /**
         * Sets from how many of the most likely tokens one is drawn; 0, the default, for all.
         *
         * @throws IllegalArgumentException if it is negative
         * @since 0.1
         */
        public Builder topK(int most) {
            checkArgument(most >= 0, "topK is %s, expected at least 0", most);
            topK = most;
            return this;
        }

        /**
         * Sets the probability that the most likely tokens, from which one is drawn, have together;
         * 1 by default.
         *
         * @throws IllegalArgumentException if it is not more than 0 and at most 1
         * @since 0.1
         */
        public Builder topP(double share) {
            checkArgument(
                    share > 0 && share <= 1, "topP is %s, expected more than 0, at most 1", share);
            topP = share;
            return this;
        }

        /**
         * Sets where the random numbers begin; 0 by default. The same seed draws the same tokens.
         *
         * @since 0.1
         */
        public Builder seed(long value) {
            seed = value;
            return this;
        }

        /**
         * Sets whether a model that has a cache uses it, which is faster; on by default.
         *
         * @since 0.1
         */
        public Builder cache(boolean use) {
            cached = use;
            return this;
        }

        /**
         * Returns the generator.
         *
         * @since 0.1
         */
        public Generator build() {
            return new Generator(this);
        }
    }
}
