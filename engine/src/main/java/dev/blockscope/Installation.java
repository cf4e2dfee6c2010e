package dev.blockscope;

import static java.util.stream.Collectors.joining;

import com.google.common.base.Throwables;
import dev.blockscope.truffle.BlockInstrument;
import dev.blockscope.truffle.GuestAccess;
import java.util.function.Supplier;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.Instrument;
import org.graalvm.polyglot.PolyglotException;

/** What of GraalVM this JVM has been started with, and whether that is all an engine needs. */
final class Installation {
    private static final String PARTS =
            "an engine needs org.graalvm.truffle:truffle-api, org.graalvm.polyglot:js-community and all that they bring, in one version";

    private Installation() {}

    /**
     * Creates the engine that contexts share.
     *
     * <p>The first engine of all has GraalVM keep the class loader of the thread, in a hook for the
     * end of the JVM; that must not be the loader of an application that comes and goes. And it is
     * with that loader that GraalVM looks for languages and instruments.
     *
     * @throws IllegalStateException if GraalVM or the language is not there, or does not fit
     */
    static Engine engineOf(String language) {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(BlockEngine.class.getClassLoader());
        try {
            Engine engine =
                    working(() ->
                            Engine.newBuilder(language)
                                    .option("engine.WarnInterpreterOnly", "false")
                                    .build());
            if (!engine.getLanguages().containsKey(language)) {
                engine.close();
                throw new IllegalStateException(
                        "the guest language \"%s\" was not found; %s".formatted(language, PARTS));
            }
            return engine;
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /**
     * Does something with GraalVM that works if it is whole.
     *
     * @throws IllegalStateException if it does not
     */
    static <T> T working(Supplier<T> use) {
        try {
            return use.get();
        } catch (IllegalStateException | PolyglotException e) {
            throw notWorking(e, e);
        } catch (LinkageError e) {
            // Versions are compared when a class of GraalVM's is made ready.
            throw notWorking(e, Throwables.getRootCause(e));
        }
    }

    private static IllegalStateException notWorking(Throwable e, Throwable reason) {
        return new IllegalStateException(
                "GraalVM does not work: %s %s"
                        .formatted(sentence(String.valueOf(reason.getMessage())), PARTS),
                e);
    }

    private static String sentence(String message) {
        String text = message.lines().map(String::strip).collect(joining(" ")).strip();
        return text.endsWith(".") ? text : text + ".";
    }

    static GuestAccess guestOf(Engine engine) {
        Instrument instrument = engine.getInstruments().get(BlockInstrument.ID);
        if (instrument == null) {
            engine.close();
            throw new IllegalStateException(
                    "the \"%s\" instrument was not found; blockscope-engine must be a whole jar with its META-INF/services, or a module of the application"
                            .formatted(BlockInstrument.ID));
        }
        return instrument.lookup(GuestAccess.class);
    }
}
