package dev.blockscope.onnx;

import dev.blockscope.Conversion;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
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
        property("data", TensorData::of);
        property("T", t -> t.transpose(-1, -2));
        method("toArray", 0, 0, (t, _) -> t.dim() == 0 ? t.number() : list(t.toList()));
        method("toString", 0, 0, (t, _) -> t.toString());
        method("dim", 0, 0, (t, _) -> t.dim());
        method("to", 1, 1, (t, args) -> t.to(DType.of(args.text(0))));
        views();
        arithmetic();
        functions();
        masks();
        reductions();
        factories();
    }

    private TensorMembers() {}

    private static void views() {
        method("item", 0, ANY, (t, args) -> t.at(args.integers(0)).number());
        method("get", 0, ANY, (t, args) -> part(t.at(args.integers(0))));
        method("select", 2, 2, (t, args) -> t.select(args.integer(0), args.integer(1)));
        method("slice", 1, 4, TensorMembers::slice);
        method("index_select", 2, 2, (t, args) -> t.index_select(args.integer(0), args.dims(1)));
        method("gather", 2, 2, (t, args) -> t.gather(args.integer(0), args.array(1)));
        method("transpose", 2, 2, (t, args) -> t.transpose(args.integer(0), args.integer(1)));
        method("permute", 0, ANY, (t, args) -> t.permute(args.integers(0)));
        method("flip", 1, 1, (t, args) -> t.flip(args.integer(0)));
        method("reshape", 0, ANY, (t, args) -> t.reshape(args.integers(0)));
        method("flatten", 0, 0, (t, _) -> t.flatten());
        method(
                "squeeze",
                0,
                1,
                (t, args) -> args.has(0) ? t.squeeze(args.integer(0)) : t.squeeze());
        method("unsqueeze", 1, 1, (t, args) -> t.unsqueeze(args.integer(0)));
        method("expand", 0, ANY, (t, args) -> t.expand(args.integers(0)));
        method("contiguous", 0, 0, (t, _) -> t.contiguous());
        method("clone", 0, 0, (t, _) -> t.clone());
    }

    private static void arithmetic() {
        binary("add", Tensor::add, Tensor::add);
        binary("sub", Tensor::sub, Tensor::sub);
        binary("mul", Tensor::mul, Tensor::mul);
        binary("div", Tensor::div, Tensor::div);
        binary("pow", Tensor::pow, Tensor::pow);
        binary("add_", Tensor::add_, Tensor::add_);
        binary("sub_", Tensor::sub_, Tensor::sub_);
        binary("mul_", Tensor::mul_, Tensor::mul_);
        binary("div_", Tensor::div_, Tensor::div_);
        binary("pow_", Tensor::pow_, Tensor::pow_);
        method("maximum", 1, 1, (t, args) -> t.maximum(args.operand(0, t)));
        method("minimum", 1, 1, (t, args) -> t.minimum(args.operand(0, t)));
        method("clamp", 1, 2, (t, args) -> t.clamp(least(args), most(args)));
        method("clamp_", 1, 2, (t, args) -> t.clamp_(least(args), most(args)));
        method("matmul", 1, 1, (t, args) -> t.matmul(args.operand(0, t)));
        method("dot", 1, 1, (t, args) -> t.dot(args.operand(0, t)));
        method("cosine", 1, 2, TensorMembers::cosine);
    }

    private static void functions() {
        unary("abs", Tensor::abs);
        unary("neg", Tensor::neg);
        unary("sign", Tensor::sign);
        unary("floor", Tensor::floor);
        unary("ceil", Tensor::ceil);
        unary("round", Tensor::round);
        unary("relu", Tensor::relu);
        unary("exp", Tensor::exp);
        unary("log", Tensor::log);
        unary("sqrt", Tensor::sqrt);
        unary("sigmoid", Tensor::sigmoid);
        unary("tanh", Tensor::tanh);
        unary("abs_", Tensor::abs_);
        unary("neg_", Tensor::neg_);
        unary("relu_", Tensor::relu_);
        unary("exp_", Tensor::exp_);
        unary("log_", Tensor::log_);
        unary("sqrt_", Tensor::sqrt_);
        unary("sigmoid_", Tensor::sigmoid_);
        unary("tanh_", Tensor::tanh_);
    }

    private static void masks() {
        binary("eq", Tensor::eq, Tensor::eq);
        binary("ne", Tensor::ne, Tensor::ne);
        binary("lt", Tensor::lt, Tensor::lt);
        binary("le", Tensor::le, Tensor::le);
        binary("gt", Tensor::gt, Tensor::gt);
        binary("ge", Tensor::ge, Tensor::ge);
        method("logical_and", 1, 1, (t, args) -> t.logical_and(args.operand(0, t)));
        method("logical_or", 1, 1, (t, args) -> t.logical_or(args.operand(0, t)));
        method("logical_xor", 1, 1, (t, args) -> t.logical_xor(args.operand(0, t)));
        unary("logical_not", Tensor::logical_not);
        method("where", 2, 2, (t, args) -> t.where(args.array(0), args.operand(1, t)));
        method("masked_fill", 2, 2, (t, args) -> t.masked_fill(args.array(0), args.number(1)));
        method("masked_fill_", 2, 2, (t, args) -> t.masked_fill_(args.array(0), args.number(1)));
        method("fill_", 1, 1, (t, args) -> t.fill_(args.number(0)));
        method("zero_", 0, 0, (t, _) -> t.zero_());
        method("copy_", 1, 1, (t, args) -> t.copy_(args.operand(0, t)));
        method("any", 0, 0, (t, _) -> t.any());
        method("all", 0, 0, (t, _) -> t.all());
    }

    private static void reductions() {
        reduction("sum", Reduction.SUM);
        reduction("mean", Reduction.MEAN);
        reduction("norm", Reduction.NORM);
        reduction("max", Reduction.MAX);
        reduction("min", Reduction.MIN);
        extreme("argmax", new Extreme(true));
        extreme("argmin", new Extreme(false));
        method("topk", 1, 3, TensorMembers::topk);
        method("softmax", 1, 1, (t, args) -> t.softmax(args.integer(0)));
        method("log_softmax", 1, 1, (t, args) -> t.log_softmax(args.integer(0)));
    }

    private static void factories() {
        method("new_tensor", 1, 1, (t, args) -> args.array(0).to(t.dtype()));
        method("new_zeros", 0, ANY, (t, args) -> Tensor.zeros(t.dtype(), args.integers(0)));
        method("new_ones", 0, ANY, (t, args) -> Tensor.full(t.dtype(), 1, args.integers(0)));
        method("new_full", 2, 2, (t, args) -> Tensor.full(t.dtype(), args.number(1), args.dims(0)));
    }

    @FunctionalInterface
    private interface Method {
        Object call(Tensor tensor, GuestArguments arguments);
    }

    @FunctionalInterface
    private interface WithTensor {
        Tensor apply(Tensor tensor, Tensor other);
    }

    @FunctionalInterface
    private interface WithNumber {
        Tensor apply(Tensor tensor, double number);
    }

    private static void property(String name, Function<Tensor, Object> value) {
        MEMBERS.put(name, value);
    }

    private static void method(String name, int least, int most, Method method) {
        String label = "tensor." + name;
        MEMBERS.put(
                name,
                tensor ->
                        (ProxyExecutable)
                                values ->
                                        method.call(
                                                tensor,
                                                new GuestArguments(label, least, most, values)));
    }

    private static void unary(String name, UnaryOperator<Tensor> operator) {
        method(name, 0, 0, (tensor, _) -> operator.apply(tensor));
    }

    private static void binary(String name, WithTensor withTensor, WithNumber withNumber) {
        method(
                name,
                1,
                1,
                (tensor, args) ->
                        args.isNumber(0)
                                ? withNumber.apply(tensor, args.number(0))
                                : withTensor.apply(tensor, args.operand(0, tensor)));
    }

    private static void reduction(String name, Reduction reduction) {
        method(
                name,
                0,
                2,
                (tensor, args) ->
                        args.has(0)
                                ? reduction.of(tensor, args.dims(0), args.flag(1))
                                : reduction.of(tensor));
    }

    private static void extreme(String name, Extreme extreme) {
        method(
                name,
                0,
                2,
                (tensor, args) ->
                        args.has(0)
                                ? extreme.in(tensor, args.integer(0), args.flag(1))
                                : extreme.in(tensor));
    }

    private static double least(GuestArguments args) {
        return args.number(0, Double.NEGATIVE_INFINITY);
    }

    private static double most(GuestArguments args) {
        return args.number(1, Double.POSITIVE_INFINITY);
    }

    private static Object slice(Tensor tensor, GuestArguments args) {
        long step = args.integer(3, 1);
        long first = step > 0 ? 0 : Long.MAX_VALUE;
        long last = step > 0 ? Long.MAX_VALUE : Long.MIN_VALUE;
        return tensor.slice(args.integer(0), args.integer(1, first), args.integer(2, last), step);
    }

    private static Object cosine(Tensor tensor, GuestArguments args) {
        Tensor other = args.operand(0, tensor);
        return args.has(1) ? tensor.cosine(other, args.integer(1)) : tensor.cosine(other);
    }

    private static Object topk(Tensor tensor, GuestArguments args) {
        boolean largest = !args.has(2) || args.flag(2);
        return tensor.topk(args.integer(0), args.integer(1, -1), largest);
    }

    private static Object part(Tensor part) {
        return part.dim() == 0 ? part.number() : part;
    }

    private static Object list(List<?> list) {
        return Objects.requireNonNull(Conversion.toGuest(list));
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
        GuestArguments arguments = new GuestArguments("tensor.set", 1, 1, value);
        if (arguments.isNumber(0)) {
            target.fill_(arguments.number(0));
        } else {
            target.copy_(arguments.operand(0, target));
        }
    }

    private static boolean isNegativeIndex(Tensor tensor, String key) {
        return tensor.dim() > 0 && key.matches("-[1-9][0-9]{0,9}");
    }
}
