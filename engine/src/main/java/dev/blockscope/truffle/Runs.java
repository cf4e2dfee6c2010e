package dev.blockscope.truffle;

import com.oracle.truffle.api.CompilerDirectives.TruffleBoundary;
import com.oracle.truffle.api.source.Source;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The runs under way on each thread, innermost first. */
final class Runs {
    private final ThreadLocal<Deque<Harvest>> stack = ThreadLocal.withInitial(ArrayDeque::new);

    void begin(Harvest run) {
        stack.get().push(run);
    }

    void end(Harvest run) {
        if (stack.get().pop() != run) {
            throw new AssertionError("runs must end in the reverse order of their beginning");
        }
    }

    @TruffleBoundary
    Harvest current() {
        return stack.get().element();
    }

    /** Returns the innermost run if it runs a text of this source, else null. */
    @TruffleBoundary
    @Nullable Harvest currentOf(Source source) {
        Harvest run = stack.get().peek();
        return run != null && run.isOf(source) ? run : null;
    }
}
