package dev.blockscope.truffle;

import com.oracle.truffle.api.instrumentation.Instrumenter;
import com.oracle.truffle.api.instrumentation.Tag;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Follows what guest code does to names of the global object past everything that is behind it.
 * Each kind is followed from the first text on that may do it: an engine whose texts do not is
 * spared the search for the places.
 */
final class GlobalFollowers {
    private final Instrumenter instrumenter;
    private final LanguageTags tags;
    private final Set<String> attached = ConcurrentHashMap.newKeySet();
    private volatile Predicate<String> onDelete = name -> true;
    private volatile Consumer<String> onBegin = text -> {};
    private volatile Runnable onEnd = () -> {};

    GlobalFollowers(Instrumenter instrumenter, LanguageTags tags) {
        this.instrumenter = instrumenter;
        this.tags = tags;
    }

    void onDelete(Predicate<String> listener) {
        onDelete = listener;
    }

    void onGlobalCode(Consumer<String> begins, Runnable ended) {
        onBegin = begins;
        onEnd = ended;
    }

    /** Follows what code that is made from text, in whatever way, can do. */
    void expectGlobalCode() {
        expectDeletes();
        if (attached.add("eval")) {
            EvalFollower.attach(instrumenter, text -> onBegin.accept(text), () -> onEnd.run());
            DeleteFollower.attachDynamic(instrumenter, name -> onDelete.test(name));
        }
        Class<? extends Tag> evalCall = tags.find("EvalCallTag");
        if (evalCall != null && attached.add("EvalCallTag")) {
            EvalCallFollower.attach(instrumenter, evalCall);
        }
    }

    /** The tag class can only be had from a node that carries it, so it comes with a text. */
    void expectDeletes() {
        Class<? extends Tag> unaryOperation = tags.find("UnaryOperationTag");
        if (unaryOperation != null && attached.add("UnaryOperationTag")) {
            DeleteFollower.attach(instrumenter, unaryOperation, name -> onDelete.test(name));
        }
    }
}
