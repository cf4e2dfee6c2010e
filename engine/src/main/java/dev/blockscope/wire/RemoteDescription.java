package dev.blockscope.wire;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a computation elsewhere says of itself. */
final class RemoteDescription<T> extends RemoteJob<T> {
    static final String PART = "describe";

    private final Function<@Nullable Object, ? extends T> made;

    RemoteDescription(
            String computation,
            Function<@Nullable Object, ? extends T> made,
            Vocabulary vocabulary) {
        super("the description of \"%s\"".formatted(computation), vocabulary, event -> {});
        this.made = made;
    }

    static byte[] toBytes(String computation) {
        return EnvelopeFormat.write(
                Vocabulary.EMPTY, 2, (out, values) -> out.writeStringField(PART, computation));
    }

    @Override
    T resultOf(Outcome outcome) {
        if (!(outcome instanceof Outcome.Result(Object value, var _))) {
            throw unreadable("it is the outcome of a trace");
        }
        // Whoever makes something of it need not look for what refers to itself.
        if (Expanse.values(value) > Cbor.MOST_VALUES) {
            throw unreadable("its parts refer to each other, and come to more than any has");
        }
        return made.apply(value);
    }

    @Override
    void tell(WireOutput output) {
        throw new EnvelopeException("a description says \"%s\"".formatted(output.said()));
    }
}
