package dev.blockscope.interleave;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** One visit of a point while it lasts: the value as it is now, and whether a module is skipped. */
final class Offer {
    private final HookPoint<?> point;
    private final int visit;
    private final @Nullable HookModule<?> entered;
    private @Nullable Object value;
    private boolean skipped;
    private @Nullable Object instead;

    Offer(HookPoint<?> point, int visit, @Nullable Object value, @Nullable HookModule<?> entered) {
        this.point = point;
        this.visit = visit;
        this.value = value;
        this.entered = entered;
    }

    boolean is(HookPoint<?> other, int number) {
        return point == other && visit == number;
    }

    boolean meets(Wait wait) {
        return switch (wait) {
            case Wait.ForPoint one -> is(one.point(), one.visit());
            case Wait.ForAny any -> visit == any.visit() && any.part().covers(point);
            case Wait.AtBarrier _ -> false;
        };
    }

    @Nullable Object value() {
        return value;
    }

    void replace(@Nullable Object other) {
        value = other;
    }

    /** Whether the computation has entered a module here and can leave it out. */
    boolean isSkippable() {
        return entered != null;
    }

    void skip(@Nullable Object output) {
        skipped = true;
        instead = output;
    }

    @SuppressWarnings("unchecked") // the inputs were offered as a list and replaced by lists only
    <T extends @Nullable Object> Entry<T> entry() {
        return new Entry<>((List<@Nullable Object>) value, skipped, instead);
    }

    @Override
    public String toString() {
        return "%s, visit %d".formatted(point, visit);
    }
}
