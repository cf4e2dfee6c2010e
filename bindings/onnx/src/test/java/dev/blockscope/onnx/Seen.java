package dev.blockscope.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** A tensor seen through a chain of views, and what ought to be seen. */
record Seen(Tensor tensor, Grid grid, String story) {
    static final List<DType> FLOATS = List.of(DType.FLOAT32, DType.FLOAT64, DType.FLOAT16);
    static final List<DType> WHOLE =
            List.of(DType.INT64, DType.INT32, DType.INT16, DType.INT8, DType.UINT8);

    /** Makes up a tensor of a shape; its numbers are such that every type holds them. */
    static Tensor tensor(Random random, DType type, int... shape) {
        int size = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
        double[] values =
                IntStream.range(0, size)
                        .mapToDouble(_ ->
                                switch (type) {
                                    case BOOL -> random.nextInt(2);
                                    case UINT8 -> random.nextInt(12);
                                    default ->
                                            type.isFloatingPoint()
                                                    ? random.nextInt(-32, 33) / 4.0
                                                    : random.nextInt(-9, 10);
                                })
                        .toArray();
        long[] sizes = Arrays.stream(shape).asLongStream().toArray();
        return Tensor.of(values, sizes.length == 0 ? new long[] {1} : sizes)
                .reshape(sizes)
                .to(type);
    }

    static Seen random(Random random, DType type) {
        int[] shape = random.ints(random.nextInt(4), 0, 5).map(i -> Math.max(i, 1)).toArray();
        return random(random, type, shape);
    }

    /** Makes up a tensor and up to four views of views of it. */
    static Seen random(Random random, DType type, int... shape) {
        Tensor whole = tensor(random, type, shape);
        Seen seen = new Seen(whole, Grid.of(whole), type + Arrays.toString(shape));
        for (int i = random.nextInt(5); i > 0; i--) {
            seen = seen.another(random);
        }
        return seen;
    }

    private Seen another(Random random) {
        if (grid.rank() == 0) {
            return new Seen(
                    tensor.unsqueeze(0), grid.moved(new int[] {1}, _ -> new int[0]), story + ".un");
        }
        int dim = random.nextInt(grid.rank());
        long asked = random.nextBoolean() ? dim : dim - grid.rank();
        return switch (random.nextInt(6)) {
            case 0 -> slice(dim, asked, random);
            case 1 -> transpose(dim, random.nextInt(grid.rank()));
            case 2 -> permute(random);
            case 3 -> unsqueeze(random);
            case 4 -> select(dim, asked, random);
            default -> reshape();
        };
    }

    private Seen slice(int dim, long asked, Random random) {
        long from = random.nextInt(-7, 8);
        long to = random.nextInt(-7, 8);
        long step = random.nextBoolean() ? random.nextInt(1, 4) : -random.nextInt(1, 4);
        int[] indices = Grid.sliced(grid.shape()[dim], from, to, step);
        if (indices.length == 0) {
            return this;
        }
        int[] shape = grid.shape().clone();
        shape[dim] = indices.length;
        Grid sliced =
                grid.moved(
                        shape,
                        index -> {
                            int[] source = index.clone();
                            source[dim] = indices[index[dim]];
                            return source;
                        });
        String told = story + ".slice(%d, %d, %d, %d)".formatted(asked, from, to, step);
        return new Seen(tensor.slice(asked, from, to, step), sliced, told);
    }

    private Seen transpose(int a, int b) {
        int[] order = IntStream.range(0, grid.rank()).toArray();
        order[a] = b;
        order[b] = a;
        return new Seen(tensor.transpose(a, b), permuted(order), story + ".transpose" + a + b);
    }

    private Seen permute(Random random) {
        List<Integer> order = new ArrayList<>(IntStream.range(0, grid.rank()).boxed().toList());
        Collections.shuffle(order, random);
        int[] dims = order.stream().mapToInt(d -> d).toArray();
        long[] asked = Arrays.stream(dims).mapToLong(d -> d).toArray();
        return new Seen(tensor.permute(asked), permuted(dims), story + ".permute" + order);
    }

    private Grid permuted(int[] order) {
        int[] shape = Arrays.stream(order).map(d -> grid.shape()[d]).toArray();
        return grid.moved(
                shape,
                index -> {
                    int[] source = new int[index.length];
                    for (int d = 0; d < index.length; d++) {
                        source[order[d]] = index[d];
                    }
                    return source;
                });
    }

    private Seen unsqueeze(Random random) {
        int at = random.nextInt(grid.rank() + 1);
        Grid more =
                grid.moved(Grid.inserted(grid.shape(), at, 1), index -> Grid.without(index, at));
        return new Seen(tensor.unsqueeze(at), more, story + ".unsqueeze" + at);
    }

    private Seen select(int dim, long asked, Random random) {
        int at = random.nextInt(grid.shape()[dim]);
        Grid part =
                grid.moved(Grid.without(grid.shape(), dim), index -> Grid.inserted(index, dim, at));
        return new Seen(tensor.select(asked, at), part, story + ".select" + dim + at);
    }

    private Seen reshape() {
        Grid flat = new Grid(new int[] {grid.values().length}, grid.values());
        return new Seen(tensor.reshape(-1), flat, story + ".reshape");
    }

    @Override
    public String toString() {
        return story;
    }
}
