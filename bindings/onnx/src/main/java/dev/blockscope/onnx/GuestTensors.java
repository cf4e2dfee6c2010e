package dev.blockscope.onnx;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/** The functions that make tensors, for guest code, under the names that PyTorch has for them. */
final class GuestTensors implements ProxyObject {
    private static final int ANY = 64;
    private static final Map<String, Object> MEMBERS = new LinkedHashMap<>();

    static {
        function("tensor", 1, 2, GuestTensors::tensor);
        function("zeros", 0, ANY, args -> Tensor.zeros(DType.FLOAT32, args.integers(0)));
        function("ones", 0, ANY, args -> Tensor.full(DType.FLOAT32, 1, args.integers(0)));
        function("full", 2, 2, args -> Tensor.full(DType.FLOAT32, args.number(1), args.dims(0)));
        function("arange", 1, 3, GuestTensors::arange);
        function("cat", 1, 2, args -> Tensor.cat(args.tensors(0), args.integer(1, 0)));
        function("stack", 1, 2, args -> Tensor.stack(args.tensors(0), args.integer(1, 0)));
        function("where", 3, 3, GuestTensors::where);
    }

    private static void function(
            String name, int least, int most, Function<GuestArguments, Tensor> function) {
        MEMBERS.put(
                name,
                (ProxyExecutable)
                        values -> function.apply(new GuestArguments(name, least, most, values)));
    }

    private static Tensor tensor(GuestArguments args) {
        Tensor tensor = args.array(0);
        return args.has(1) ? tensor.to(DType.of(args.text(1))) : tensor;
    }

    /** Counts like Python's range: up to an end, or from a start to an end, in steps. */
    private static Tensor arange(GuestArguments args) {
        long start = args.count() == 1 ? 0 : args.integer(0);
        long end = args.integer(args.count() == 1 ? 0 : 1);
        long step = args.integer(2, 1);
        if (step == 0) {
            throw new IllegalArgumentException("arange: the step is 0");
        }
        long span = step > 0 ? end - start : start - end;
        Tensor counted = Tensor.zeros(DType.INT64, Math.max(0, Math.ceilDiv(span, Math.abs(step))));
        for (int i = 0; i < counted.size(); i++) {
            counted.storage().setLong(i, start + i * step);
        }
        return counted;
    }

    private static Tensor where(GuestArguments args) {
        Tensor mask = args.array(0);
        Tensor yes = args.array(1);
        return yes.where(mask, args.operand(2, yes));
    }

    /** Returns a function; null if there is none of that name. */
    @Override
    public @Nullable Object getMember(String key) {
        return MEMBERS.get(key);
    }

    @Override
    public Object getMemberKeys() {
        return ProxyArray.fromList(List.copyOf(MEMBERS.keySet()));
    }

    @Override
    public boolean hasMember(String key) {
        return MEMBERS.containsKey(key);
    }

    @Override
    public void putMember(String key, Value value) {
        throw new IllegalArgumentException(
                "\"" + key + "\" cannot be set, the functions that make tensors are fixed");
    }
}
