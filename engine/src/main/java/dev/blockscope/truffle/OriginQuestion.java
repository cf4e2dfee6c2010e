package dev.blockscope.truffle;

import com.oracle.truffle.api.interop.TruffleObject;
import org.jspecify.annotations.Nullable;

/**
 * A question that the host puts to a function of the guest's: which run made it. As a guest object
 * it is executed with the function; the answer is kept for the host.
 */
public final class OriginQuestion implements TruffleObject {
    static {
        ExecutableExport.register(
                OriginQuestion.class,
                (question, arguments) -> question.answer = FunctionFollower.originOf(arguments[0]));
    }

    private @Nullable Object answer;

    /** Creates a question that was not put yet. */
    public OriginQuestion() {}

    /**
     * Returns the origin of the function it was put to last, or null if it has none. It is told
     * once: kept here it would keep what it stands for.
     */
    public @Nullable Object answer() {
        Object told = answer;
        answer = null;
        return told;
    }
}
