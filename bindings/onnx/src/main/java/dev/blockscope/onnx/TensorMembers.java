package dev.blockscope.onnx;

import dev.blockscope.Conversion;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.jspecify.annotations.Nullable;

/** What guest code finds on a tensor: properties, methods, and rows by negative index. */
final class TensorMembers {
    private static final int ANY = 64;
    private static final Map<String, Function<Tensor, Object>> MEMBERS = new LinkedHashMap<>();

    static {
        property("shape", t -> list(Arrays.stream(t.shape()).boxed().toList()));
        property("dtype", t -> t.dtype().toString());
        property("length", Tensor::getSize);
        property("size", Tensor::size);
        property("data", TensorData::new);
        property("T", t -> t.transpose(-1, -2));
        method("item", 0, ANY, (t, args) -> t.at(args.integers()).number());
        method("get", 0, ANY, (t, args) -> part(t.at(args.integers())));
        method("select", 2, 2, (t, args) -> t.select(args.integer(0), args.integer(1)));
        method("slice", 2, 3, TensorMembers::slice);
        method("transpose", 2, 2, (t, args) -> t.transpose(args.integer(0), args.integer(1)));
        method("reshape", 0, ANY, (t, args) -> t.reshape(args.integers()));
        method("to", 1, 1, (t, args) -> t.to(DType.of(args.text(0))));
        method("clone", 0, 0, (t, _) -> t.clone());
        method("add", 1, 1, (t, args) -> t.add(args.operand(0, t)));
        method("sub", 1, 1, (t, args) -> t.sub(args.operand(0, t)));
        method("mul", 1, 1, (t, args) -> t.mul(args.operand(0, t)));
        method("div", 1, 1, (t, args) -> t.div(args.operand(0, t)));
        method("matmul", 1, 1, (t, args) -> t.matmul(args.operand(0, t)));
        method("dot", 1, 1, (t, args) -> t.dot(args.operand(0, t)));
        method("cosine", 1, 1, (t, args) -> t.cosine(args.operand(0, t)));
        reduction("sum", Tensor::sum, Tensor::sum);
        reduction("mean", Tensor::mean, Tensor::mean);
        reduction("norm", Tensor::norm, Tensor::norm);
        method("max", 0, 0, (t, _) -> t.max());
        method("min", 0, 0, (t, _) -> t.min());
        method("abs", 0, 0, (t, _) -> t.abs());
        method("softmax", 1, 1, (t, args) -> t.softmax(args.integer(0)));
        method("add_", 1, 1, (t, args) -> t.add_(args.operand(0, t)));
        method("sub_", 1, 1, (t, args) -> t.sub_(args.operand(0, t)));
        method("mul_", 1, 1, (t, args) -> t.mul_(args.operand(0, t)));
        method("div_", 1, 1, (t, args) -> t.div_(args.operand(0, t)));
        method("fill_", 1, 1, (t, args) -> t.fill_(args.number(0)));
        method("copy_", 1, 1, (t, args) -> t.copy_(args.operand(0, t)));
        method("toArray", 0, 0, (t, _) -> t.dim() == 0 ? t.number() : list(t.toList()));
        method("toString", 0, 0, (t, _) -> t.toString());
    }

    private TensorMembers() {}

    @FunctionalInterface
    private interface Method {
        Object call(Tensor tensor, GuestArguments arguments);
    }

    @FunctionalInterface
    private interface ByDimension {
        Tensor reduce(Tensor tensor, long dim);
    }

    private static void property(String name, Function<Tensor, Object> value) {
        MEMBERS.put(name, value);
    }

    private static void method(String name, int least, int most, Method method) {
        MEMBERS.put(
                name,
                tensor ->
                        (ProxyExecutable)
                                values ->
                                        method.call(
                                                tensor,
                                                new GuestArguments(name, least, most, values)));
    }

    private static void reduction(
            String name, ToDoubleFunction<Tensor> all, ByDimension byDimension) {
        method(
                name,
                0,
                1,
                (tensor, args) ->
                        args.count() == 0
                                ? all.applyAsDouble(tensor)
                                : byDimension.reduce(tensor, args.integer(0)));
    }

    /** Returns the names of all members. */
    static List<Object> names() {
        return List.copyOf(MEMBERS.keySet());
    }

    static boolean has(Tensor tensor, String key) {
        return MEMBERS.containsKey(key) || isNegativeIndex(tensor, key);
    }

    static @Nullable Object get(Tensor tensor, String key) {
        if (isNegativeIndex(tensor, key)) {
            return tensor.get(Long.parseLong(key));
        }
        Function<Tensor, Object> member = MEMBERS.get(key);
        return member == null ? null : member.apply(tensor);
    }

    static void put(Tensor tensor, String key, Value value) {
        if (!isNegativeIndex(tensor, key)) {
            throw new IllegalArgumentException(
                    "\"%s\" of a tensor cannot be set; use t[i] = x, fill_ or copy_"
                            .formatted(key));
        }
        tensor.set(Long.parseLong(key), value);
    }

    /** Fills {@code target} with a number, or copies a tensor or an array into it. */
    static void assign(Tensor target, Value value) {
        GuestArguments arguments = new GuestArguments("set", 1, 1, value);
        if (value.isNumber()) {
            target.fill_(arguments.number(0));
        } else {
            target.copy_(arguments.operand(0, target).to(target.dtype()));
        }
    }

    private static boolean isNegativeIndex(Tensor tensor, String key) {
        return tensor.dim() > 0 && key.matches("-[1-9][0-9]{0,9}");
    }

    private static Object slice(Tensor tensor, GuestArguments args) {
        long to = args.count() == 3 ? args.integer(2) : Long.MAX_VALUE;
        return tensor.slice(args.integer(0), args.integer(1), to);
    }

    private static Object part(Tensor part) {
        return part.dim() == 0 ? part.number() : part;
    }

    private static Object list(List<?> list) {
        return Objects.requireNonNull(Conversion.toGuest(list));
    }
}
