package dev.blockscope.onnx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.BinaryOperator;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Whatever views a tensor is seen through, an operation gives what a loop over indices gives. */
class TensorPropertyTest {
    private static final List<DType> ALL = all();

    private static List<DType> all() {
        List<DType> all = new ArrayList<>(Seen.FLOATS);
        all.addAll(Seen.WHOLE);
        all.add(DType.BOOL);
        return all;
    }

    private record Binary(
            String name, BinaryOperator<Tensor> ours, DoubleBinaryOperator plain, boolean whole) {}

    private static final List<Binary> ARITHMETIC =
            List.of(
                    new Binary("add", Tensor::add, Double::sum, true),
                    new Binary("sub", Tensor::sub, (a, b) -> a - b, true),
                    new Binary("mul", Tensor::mul, (a, b) -> a * b, true),
                    new Binary("div", Tensor::div, (a, b) -> a / b, false),
                    new Binary("maximum", Tensor::maximum, Math::max, true),
                    new Binary("minimum", Tensor::minimum, Math::min, true));

    private static final List<Binary> QUESTIONS =
            List.of(
                    new Binary("eq", Tensor::eq, (a, b) -> a == b ? 1 : 0, true),
                    new Binary("ne", Tensor::ne, (a, b) -> a != b ? 1 : 0, true),
                    new Binary("lt", Tensor::lt, (a, b) -> a < b ? 1 : 0, true),
                    new Binary("le", Tensor::le, (a, b) -> a <= b ? 1 : 0, true),
                    new Binary("gt", Tensor::gt, (a, b) -> a > b ? 1 : 0, true),
                    new Binary("ge", Tensor::ge, (a, b) -> a >= b ? 1 : 0, true),
                    new Binary("and", Tensor::logical_and, (a, b) -> a * b != 0 ? 1 : 0, true),
                    new Binary("or", Tensor::logical_or, (a, b) -> a != 0 || b != 0 ? 1 : 0, true));

    private record Unary(String name, UnaryOperator<Tensor> ours, DoubleUnaryOperator plain) {}

    private static final List<Unary> FUNCTIONS =
            List.of(
                    new Unary("abs", Tensor::abs, Math::abs),
                    new Unary("neg", Tensor::neg, x -> -x),
                    new Unary("sign", Tensor::sign, Math::signum),
                    new Unary("floor", Tensor::floor, Math::floor),
                    new Unary("ceil", Tensor::ceil, Math::ceil),
                    new Unary("round", Tensor::round, Math::rint),
                    new Unary("relu", Tensor::relu, x -> Math.max(0, x)),
                    new Unary("exp", Tensor::exp, Math::exp),
                    new Unary("log", Tensor::log, Math::log),
                    new Unary("sqrt", Tensor::sqrt, Math::sqrt),
                    new Unary("sigmoid", Tensor::sigmoid, x -> 1 / (1 + Math.exp(-x))),
                    new Unary("tanh", Tensor::tanh, Math::tanh),
                    new Unary("clone", Tensor::clone, x -> x),
                    new Unary("clamp", t -> t.clamp(-1, 2), x -> Math.max(-1, Math.min(2, x))),
                    new Unary("add", t -> t.add(3), x -> x + 3),
                    new Unary("gt", t -> t.gt(1), x -> x > 1 ? 1 : 0));

    @Property(tries = 1500, edgeCases = EdgeCasesMode.NONE)
    void viewsShowTheElementsTheyName(@ForAll Random random) {
        Seen seen = Seen.random(random, any(random, ALL));

        same(seen.tensor(), seen.grid(), seen.story());
        same(seen.tensor().clone(), seen.grid(), seen.story());
        assertThat(seen.tensor().toDoubleArray()).isEqualTo(seen.grid().values());
    }

    @Property(tries = 1500, edgeCases = EdgeCasesMode.NONE)
    void arithmeticIsElementByElement(@ForAll Random random) {
        Binary operation = any(random, ARITHMETIC);
        Seen a = Seen.random(random, any(random, operation.whole() ? Seen.WHOLE : Seen.FLOATS));
        Seen b = fitting(random, a, a.tensor().dtype());

        Tensor result = operation.ours().apply(a.tensor(), b.tensor());

        Grid expected = a.grid().with(b.grid(), operation.plain());
        same(
                result,
                expected.map(x -> stored(result.dtype(), x)),
                operation.name() + " of " + a + " and " + b);
    }

    @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
    void fractionsAreRoundedOnce(@ForAll Random random) {
        Binary operation = any(random, ARITHMETIC);
        Seen a = Seen.random(random, any(random, Seen.FLOATS));
        Seen b = fitting(random, a, any(random, Seen.FLOATS));

        Tensor result = operation.ours().apply(a.tensor(), b.tensor());

        same(
                result,
                a.grid().with(b.grid(), operation.plain()).map(x -> stored(result.dtype(), x)),
                operation.name() + " of " + a + " and " + b);
    }

    @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
    void questionsAreAskedOfAllPairs(@ForAll Random random) {
        Binary question = any(random, QUESTIONS);
        Seen a = Seen.random(random, any(random, ALL));
        Seen b = fitting(random, a, any(random, ALL));

        Tensor answers = question.ours().apply(a.tensor(), b.tensor());

        assertThat(answers.dtype()).isEqualTo(DType.BOOL);
        same(
                answers,
                a.grid().with(b.grid(), question.plain()),
                question.name() + " of " + a + " and " + b);
    }

    @Property(tries = 1500, edgeCases = EdgeCasesMode.NONE)
    void functionsAreOfEachElementAlone(@ForAll Random random) {
        Unary function = any(random, FUNCTIONS);
        Seen seen = Seen.random(random, any(random, Seen.FLOATS));

        Tensor result = function.ours().apply(seen.tensor());

        same(
                result,
                seen.grid().map(x -> stored(result.dtype(), function.plain().applyAsDouble(x))),
                function.name() + " of " + seen);
    }

    @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
    void reductionsTakeEachRow(@ForAll Random random) {
        Seen seen = withDimension(random, any(random, ALL));
        int dim = random.nextInt(seen.grid().rank());
        Tensor t = seen.tensor();
        Grid g = seen.grid();

        near(t.sum(dim), g.reduce(dim, row -> Arrays.stream(row).sum()), seen + " sum" + dim);
        near(t.mean(dim), g.reduce(dim, row -> Arrays.stream(row).average().orElse(0)), seen + "");
        near(
                t.norm(dim),
                g.reduce(dim, row -> Math.sqrt(Arrays.stream(row).map(x -> x * x).sum())),
                seen + " norm" + dim);
        same(t.max(dim), g.reduce(dim, row -> Arrays.stream(row).max().orElse(0)), seen + " max");
        same(t.min(dim), g.reduce(dim, row -> Arrays.stream(row).min().orElse(0)), seen + " min");
        same(t.argmax(dim), g.reduce(dim, row -> order(row, true)[0]), seen + " argmax" + dim);
        same(t.argmin(dim), g.reduce(dim, row -> order(row, false)[0]), seen + " argmin" + dim);
        assertThat(t.sum()).isCloseTo(Arrays.stream(g.values()).sum(), within(1e-9));
        assertThat(t.max()).isEqualTo(Arrays.stream(g.values()).max().orElse(0));
        assertThat(t.argmax()).isEqualTo(order(g.values(), true)[0]);
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void severalDimensionsAreReducedLikeOneAfterTheOther(@ForAll Random random) {
        Seen seen = Seen.random(random, any(random, Seen.FLOATS), 3, 2, 4, 2);
        int[] dims =
                IntStream.range(0, seen.grid().rank()).filter(_ -> random.nextBoolean()).toArray();
        long[] asked = Arrays.stream(dims).mapToLong(d -> d - seen.grid().rank()).toArray();

        Tensor sums = seen.tensor().sum(asked, false);

        Grid expected = seen.grid();
        for (int i = dims.length - 1; i >= 0; i--) {
            expected = expected.reduce(dims[i], row -> Arrays.stream(row).sum());
        }
        near(sums, expected, seen + " sum" + Arrays.toString(dims));
        assertThat(seen.tensor().sum(asked, true).flatten().toDoubleArray())
                .isEqualTo(sums.flatten().toDoubleArray());
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void theFirstKAreThoseOfASortedRow(@ForAll Random random) {
        Seen seen = withDimension(random, any(random, ALL));
        int dim = random.nextInt(seen.grid().rank());
        int k = random.nextInt(seen.grid().shape()[dim] + 1);
        boolean largest = random.nextBoolean();

        TopK top = seen.tensor().topk(k, dim, largest);

        int[] shape = seen.grid().shape().clone();
        shape[dim] = k;
        Grid indices =
                Grid.make(
                        shape,
                        index ->
                                seen.grid()
                                        .reduce(dim, row -> order(row, largest)[index[dim]])
                                        .at(Grid.without(index, dim)));
        same(top.indices(), indices, seen + " indices of topk" + k);
        same(
                top.values(),
                Grid.make(
                        shape,
                        index ->
                                seen.grid()
                                        .at(
                                                Grid.inserted(
                                                        Grid.without(index, dim),
                                                        dim,
                                                        (int) indices.at(index)))),
                seen + " values of topk" + k);
        assertThat(seen.tensor().gather(dim, top.indices()).toDoubleArray())
                .isEqualTo(top.values().toDoubleArray());
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void sharesAreExponentialsOverTheirSum(@ForAll Random random) {
        Seen seen = withDimension(random, any(random, Seen.FLOATS));
        int dim = random.nextInt(seen.grid().rank());

        Grid shares =
                seen.grid()
                        .rows(
                                dim,
                                row -> {
                                    double sum = Arrays.stream(row).map(Math::exp).sum();
                                    return Arrays.stream(row).map(x -> Math.exp(x) / sum).toArray();
                                });
        near(seen.tensor().softmax(dim), shares, seen + " softmax" + dim);
        near(seen.tensor().log_softmax(dim), shares.map(Math::log), seen + " log_softmax" + dim);
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void matricesAreMultipliedRowByColumn(@ForAll Random random) {
        int rows = random.nextInt(1, 6);
        int inner = random.nextInt(1, 90);
        int columns = random.nextInt(1, 6);
        boolean turned = random.nextBoolean();
        Tensor a = Seen.tensor(random, any(random, Seen.FLOATS), rows, inner);
        Tensor b =
                turned
                        ? Seen.tensor(random, DType.FLOAT32, columns, inner).transpose(0, 1)
                        : Seen.tensor(random, DType.FLOAT32, inner, columns);

        near(a.matmul(b), Grid.of(a).times(Grid.of(b)), "%s x %s".formatted(a, b));
        near(
                Tensor.stack(List.of(a, a.neg()), 0).matmul(b).at(1),
                Grid.of(a).times(Grid.of(b)).map(x -> -x),
                "a batch of %s x %s".formatted(a, b));
    }

    @Property(tries = 1000, edgeCases = EdgeCasesMode.NONE)
    void whatIsWrittenThroughAViewArrivesInTheTensor(@ForAll Random random) {
        Tensor whole = Seen.tensor(random, any(random, Seen.FLOATS), 4, 5);
        Grid before = Grid.of(whole);
        long from = random.nextInt(-6, 6);
        long to = random.nextInt(-6, 6);
        long step = random.nextBoolean() ? 1 + random.nextInt(3) : -1 - random.nextInt(3);

        whole.slice(1, from, to, step).transpose(0, 1).mul_(-1).add_(2);

        int[] hit = Grid.sliced(5, from, to, step);
        Grid expected =
                before.moved(before.shape(), index -> index)
                        .rows(
                                1,
                                row -> {
                                    double[] changed = row.clone();
                                    Arrays.stream(hit).forEach(i -> changed[i] = 2 - changed[i]);
                                    return changed;
                                });
        same(whole, expected, "slice(1, %d, %d, %d)".formatted(from, to, step));
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void masksChooseBetweenTwo(@ForAll Random random) {
        Seen a = Seen.random(random, any(random, ALL));
        Seen mask = fitting(random, a, DType.BOOL);
        Seen b = fitting(random, a, a.tensor().dtype());
        Grid yes = a.grid().with(mask.grid(), (x, m) -> m != 0 ? x : Double.NaN);

        same(
                a.tensor().where(mask.tensor(), b.tensor()),
                yes.with(b.grid(), (x, y) -> Double.isNaN(x) ? y : x),
                a + " where " + mask + " else " + b);
        same(
                a.tensor().masked_fill(mask.tensor(), 1),
                a.grid().with(mask.grid(), (x, m) -> m != 0 ? 1 : x),
                a + " masked_fill " + mask);
    }

    @Property(tries = 500, edgeCases = EdgeCasesMode.NONE)
    void joinedTensorsComeApartAgain(@ForAll Random random) {
        Seen seen = withDimension(random, any(random, ALL));
        int dim = random.nextInt(seen.grid().rank());
        Tensor t = seen.tensor();
        long cut = random.nextInt(seen.grid().shape()[dim] + 1);

        Tensor joined =
                Tensor.cat(List.of(t.slice(dim, 0, cut), t.slice(dim, cut, Long.MAX_VALUE)), dim);

        same(joined, seen.grid(), seen + " cut at " + cut);
        same(Tensor.stack(List.of(t.clone(), t), dim).select(dim, 1), seen.grid(), seen + "");
    }

    private static Seen withDimension(Random random, DType type) {
        Seen seen = Seen.random(random, type);
        return seen.grid().rank() > 0
                ? seen
                : new Seen(
                        seen.tensor().reshape(1),
                        new Grid(new int[] {1}, seen.grid().values()),
                        seen + ".reshape(1)");
    }

    /** Makes up what can be broadcast together with another. */
    private static Seen fitting(Random random, Seen other, DType type) {
        int[] shape = other.grid().shape();
        int[] own =
                Arrays.stream(shape)
                        .skip(random.nextInt(shape.length + 1))
                        .map(size -> random.nextInt(4) == 0 ? 1 : size)
                        .toArray();
        Tensor tensor = Seen.tensor(random, type, own);
        return new Seen(tensor, Grid.of(tensor), type + Arrays.toString(own));
    }

    /** The indices of a row in the order of its elements; of equals the first comes first. */
    private static int[] order(double[] row, boolean largest) {
        return IntStream.range(0, row.length)
                .boxed()
                .sorted((a, b) ->
                        largest ? Double.compare(row[b], row[a]) : Double.compare(row[a], row[b]))
                .mapToInt(i -> i)
                .toArray();
    }

    /** What an element type keeps of a number. */
    private static double stored(DType type, double x) {
        return switch (type) {
            case FLOAT32 -> (float) x;
            case FLOAT16 -> Float.float16ToFloat(Float.floatToFloat16((float) x));
            case INT32 -> (int) (long) x;
            case INT16 -> (short) (long) x;
            case INT8 -> (byte) (long) x;
            case UINT8 -> (long) x & 0xff;
            default -> x;
        };
    }

    private static void same(Tensor actual, Grid expected, String story) {
        assertThat(actual.shape())
                .as(story)
                .isEqualTo(Arrays.stream(expected.shape()).asLongStream().toArray());
        assertThat(Grid.of(actual).map(x -> x + 0.0).values())
                .as(story)
                .isEqualTo(expected.map(x -> x + 0.0).values());
    }

    private static void near(Tensor actual, Grid expected, String story) {
        double precision = actual.dtype() == DType.FLOAT16 ? 2e-3 : 1e-5;
        assertThat(actual.shape())
                .as(story)
                .isEqualTo(Arrays.stream(expected.shape()).asLongStream().toArray());
        double[] values = Grid.of(actual).values();
        for (int i = 0; i < values.length; i++) {
            double size = Math.max(1, Math.abs(expected.values()[i]));
            assertThat(values[i])
                    .as(story)
                    .isCloseTo(expected.values()[i], within(size * precision));
        }
    }

    private static <T> T any(Random random, List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }
}
