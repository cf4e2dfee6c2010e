package dev.blockscope.onnx;

import static java.util.stream.Collectors.joining;

import dev.blockscope.Conversion;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/**
 * A text as a model takes it: its tokens, and where each of them is.
 *
 * <p>A block that gets it finds positions by what stands in the text:
 *
 * <pre>{@code
 * model.encoder.layer[3].output[0][tokens.find(' Paris')].mul_(2)
 * }</pre>
 *
 * <p>Guest code sees {@code find}, {@code span}, {@code text}, {@code strings}, {@code ids} and
 * {@code offsets}; {@code tokens[i]} is the string of a token and {@code tokens.length} their
 * number.
 *
 * @param text the text
 * @param tokens its tokens, with those that the tokenizer puts around it
 * @since 0.1
 */
public record Tokens(String text, List<Token> tokens) implements ProxyObject, ProxyArray {
    private static final Map<String, Function<Tokens, Object>> MEMBERS = new LinkedHashMap<>();

    static {
        MEMBERS.put("find", tokens -> (ProxyExecutable) tokens::find);
        MEMBERS.put("span", tokens -> (ProxyExecutable) tokens::span);
        MEMBERS.put("text", Tokens::text);
        MEMBERS.put("length", Tokens::getSize);
        MEMBERS.put("strings", tokens -> tokens.list(Token::string));
        MEMBERS.put("ids", tokens -> tokens.list(Token::id));
        MEMBERS.put("offsets", tokens -> tokens.list(token -> List.of(token.from(), token.to())));
        MEMBERS.put("toString", tokens -> (ProxyExecutable) _ -> tokens.toString());
    }

    /** Copies the list. */
    public Tokens {
        tokens = List.copyOf(tokens);
    }

    /**
     * Returns the position of the token that is {@code part} of the text, the first if it is there
     * several times.
     *
     * @throws IllegalArgumentException if there is none, or several tokens make it up
     * @since 0.1
     */
    public int find(String part) {
        return find(part, 0);
    }

    /**
     * Returns the position of the token that is {@code part} of the text.
     *
     * @param part a token as the vocabulary writes it, or a piece of the text that is a token.
     *     Blanks at its ends must be in the text and need not be in the token.
     * @param nth which of several, from 0; a negative one counts from the end
     * @throws IllegalArgumentException if there is none, or several tokens make it up
     * @since 0.1
     */
    public int find(String part, int nth) {
        List<Integer> span = span(part, nth);
        if (span.size() > 1) {
            throw new IllegalArgumentException(
                    "\"%s\" is %d tokens, at %s: %s; span(\"%s\") gives them all"
                            .formatted(
                                    part,
                                    span.size(),
                                    span,
                                    span.stream().map(i -> tokens.get(i).string()).toList(),
                                    part));
        }
        return span.getFirst();
    }

    /**
     * Returns the positions of the tokens that make up {@code part} of the text.
     *
     * @param part a token as the vocabulary writes it, or a piece of the text that begins and ends
     *     where tokens do, blanks at its ends apart
     * @param nth which of several, from 0; a negative one counts from the end
     * @throws IllegalArgumentException if there is none, with the tokens there are
     * @since 0.1
     */
    public List<Integer> span(String part, int nth) {
        List<List<Integer>> all = written(part);
        if (all.isEmpty()) {
            all = standing(part);
        }
        int index = nth < 0 ? nth + all.size() : nth;
        if (index < 0 || index >= all.size()) {
            throw new IllegalArgumentException(
                    "%s among the tokens of the text: %s".formatted(missing(part, nth, all), this));
        }
        return all.get(index);
    }

    private static String missing(String part, int nth, List<List<Integer>> all) {
        return all.isEmpty()
                ? "\"%s\" is not".formatted(part)
                : "\"%s\" is %d times and not number %d".formatted(part, all.size(), nth);
    }

    /** Returns the tokens that the vocabulary writes so. */
    private List<List<Integer>> written(String string) {
        return IntStream.range(0, tokens.size())
                .filter(i -> tokens.get(i).string().equals(string))
                .mapToObj(List::of)
                .toList();
    }

    /** Returns the tokens of each place where a piece stands in the text. */
    private List<List<Integer>> standing(String piece) {
        List<List<Integer>> all = new ArrayList<>();
        int blanks = piece.length() - piece.stripLeading().length();
        int length = piece.strip().length();
        for (int at = text.indexOf(piece);
                length > 0 && at >= 0;
                at = text.indexOf(piece, at + 1)) {
            List<Integer> span = between(at + blanks, at + blanks + length);
            if (!span.isEmpty()) {
                all.add(span);
            }
        }
        return all;
    }

    /** Returns the tokens between two places of the text; none if one of them is within a token. */
    private List<Integer> between(int from, int to) {
        List<Integer> inside =
                IntStream.range(0, tokens.size())
                        .filter(i -> tokens.get(i).isOfText())
                        .filter(i -> tokens.get(i).from() < to && tokens.get(i).to() > from)
                        .boxed()
                        .toList();
        boolean whole =
                !inside.isEmpty()
                        && bare(tokens.get(inside.getFirst())) == from
                        && tokens.get(inside.getLast()).to() == to;
        return whole ? inside : List.of();
    }

    /** Returns where a token begins without blanks, which some tokenizers count in. */
    private int bare(Token token) {
        String own = text.substring(token.from(), token.to());
        return token.to() - own.stripLeading().length();
    }

    /**
     * Returns the tokens' numbers.
     *
     * @since 0.1
     */
    public long[] ids() {
        return tokens.stream().mapToLong(Token::id).toArray();
    }

    /**
     * Returns the tokens as inputs of a model, one row: {@code input_ids}, {@code attention_mask},
     * {@code token_type_ids} and {@code position_ids}, as far as the model has them.
     *
     * @throws IllegalArgumentException if the model takes something else
     * @since 0.1
     */
    public Map<String, Tensor> inputs(OnnxModel model) {
        return inputs(model.inputs());
    }

    /**
     * Returns the tokens as inputs of a model that is elsewhere, one row, as far as it has them.
     *
     * @param model what it {@linkplain RemoteModel#describe says of itself}
     * @throws IllegalArgumentException if the model takes something else
     * @since 0.1
     */
    public Map<String, Tensor> inputs(ModelDescription model) {
        return inputs(model.inputs());
    }

    private Map<String, Tensor> inputs(List<TensorSpec> specs) {
        Map<String, Tensor> inputs = new LinkedHashMap<>();
        for (TensorSpec spec : specs) {
            inputs.put(spec.name(), row(spec.name()).to(spec.dtype()));
        }
        return inputs;
    }

    /**
     * Returns several texts as the inputs of one run, a row for each, the shorter ones filled up
     * with zeros. What the model makes of a row does not depend on the others if it has an {@code
     * attention_mask}, which is zero there, or if it is causal.
     *
     * @throws IllegalArgumentException if the model takes something else, or one row only
     * @since 0.1
     */
    public static Map<String, Tensor> inputs(OnnxModel model, List<Tokens> texts) {
        List<Map<String, Tensor>> rows = texts.stream().map(text -> text.inputs(model)).toList();
        return new BatchShapes(new OpenSizes(model.inputs()), rows).together();
    }

    private Tensor row(String input) {
        int count = tokens.size();
        long[] values =
                switch (input) {
                    case "input_ids" -> ids();
                    case "attention_mask" -> LongStream.generate(() -> 1).limit(count).toArray();
                    case "token_type_ids" -> new long[count];
                    case "position_ids" -> LongStream.range(0, count).toArray();
                    default ->
                            throw new IllegalArgumentException(
                                    "the model takes \"%s\", which tokens do not give; see Generator for models with a cache"
                                            .formatted(input));
                };
        return Tensor.of(values, 1, count);
    }

    /** Returns the tokens with their positions, on one line. */
    @Override
    public String toString() {
        return IntStream.range(0, tokens.size())
                .mapToObj(i -> i + " " + tokens.get(i).string())
                .collect(joining(", "));
    }

    // What guest code sees.

    private Object find(Value... arguments) {
        GuestArguments given = new GuestArguments("tokens.find", 1, 2, arguments);
        return find(given.text(0), Math.toIntExact(given.integer(1, 0)));
    }

    private Object span(Value... arguments) {
        GuestArguments given = new GuestArguments("tokens.span", 1, 2, arguments);
        return toGuest(span(given.text(0), Math.toIntExact(given.integer(1, 0))));
    }

    private Object list(Function<Token, Object> part) {
        return toGuest(tokens.stream().map(part).toList());
    }

    private static Object toGuest(List<?> list) {
        return Objects.requireNonNull(Conversion.toGuest(list));
    }

    /** Returns a property or method for guest code; null if there is none of that name. */
    @Override
    public @Nullable Object getMember(String key) {
        Function<Tokens, Object> member = MEMBERS.get(key);
        return member == null ? null : member.apply(this);
    }

    /** Returns the names of the properties and methods for guest code. */
    @Override
    public Object getMemberKeys() {
        return ProxyArray.fromList(List.copyOf(MEMBERS.keySet()));
    }

    /** Returns whether guest code sees a property or method of that name. */
    @Override
    public boolean hasMember(String key) {
        return MEMBERS.containsKey(key);
    }

    /**
     * Refuses: tokens are fixed.
     *
     * @throws IllegalArgumentException always
     */
    @Override
    public void putMember(String key, Value value) {
        throw new IllegalArgumentException(
                "\"%s\" of tokens cannot be set, tokens are fixed".formatted(key));
    }

    /** Returns the string of a token. */
    @Override
    public Object get(long index) {
        return tokens.get(Math.toIntExact(index)).string();
    }

    /**
     * Refuses: tokens are fixed.
     *
     * @throws IllegalArgumentException always
     */
    @Override
    public void set(long index, Value value) {
        putMember(Long.toString(index), value);
    }

    /** Returns the number of tokens. */
    @Override
    public long getSize() {
        return tokens.size();
    }
}
