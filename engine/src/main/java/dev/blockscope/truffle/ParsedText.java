package dev.blockscope.truffle;

import com.oracle.truffle.api.RootCallTarget;
import com.oracle.truffle.api.interop.InteropLibrary;
import com.oracle.truffle.api.interop.TruffleObject;
import com.oracle.truffle.api.library.LibraryExport;
import com.oracle.truffle.api.source.Source;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A parsed text as an executable guest object, for the contexts of its engine if the language lets
 * them share it, and else for the one that parsed it. Executing it answers nothing: result and
 * variables are in the {@link Harvest} that is its last argument.
 *
 * <p>The interop export is registered by hand: Truffle's annotation processor, which would write
 * the same, is not published for use outside Graal.
 */
public final class ParsedText implements TruffleObject {
    static {
        LibraryExport.register(ParsedText.class, new Exports());
    }

    private final RootCallTarget run;
    private final List<String> parameters;
    private final List<String> presets;
    private final WriteFollower.Watch watch;
    private final boolean awaits;
    private final boolean followsFunctions;

    /** Held for those who note something under it. */
    @SuppressWarnings("UnusedVariable")
    private final @Nullable Source key;

    /**
     * Creates one.
     *
     * @param parameters the names of the arguments but for the last, the presets among them
     * @param presets the last of the parameters, which the body has as variables of its own
     * @param watch the assignments that a run notes
     * @param awaits whether its top level waits
     * @param followsFunctions whether it is noted which run made a function of the text
     * @param key what is noted under it is kept as long as the text
     */
    ParsedText(
            RootCallTarget run,
            List<String> parameters,
            List<String> presets,
            WriteFollower.Watch watch,
            boolean awaits,
            boolean followsFunctions,
            @Nullable Source key) {
        this.run = run;
        this.parameters = List.copyOf(parameters);
        this.presets = List.copyOf(presets);
        this.watch = watch;
        this.awaits = awaits;
        this.followsFunctions = followsFunctions;
        this.key = key;
    }

    /** Whether the functions that a run makes are to have an origin. */
    public boolean followsFunctions() {
        return followsFunctions;
    }

    WriteFollower.Watch watch() {
        return watch;
    }

    /**
     * Whether the text's top level waits, so that its value is known when its promise is settled.
     */
    public boolean awaits() {
        return awaits;
    }

    List<String> parameters() {
        return parameters;
    }

    List<String> presets() {
        return presets;
    }

    private static final class Exports extends LibraryExport<InteropLibrary> {
        Exports() {
            super(InteropLibrary.class, ParsedText.class, false, false, 0);
        }

        @Override
        protected InteropLibrary createUncached(Object receiver) {
            return new Executable();
        }

        @Override
        protected InteropLibrary createCached(Object receiver) {
            return new Executable();
        }
    }

    /** Each text has a compiled root of its own, so there is nothing to specialize on here. */
    private static final class Executable extends InteropLibrary {
        @Override
        public boolean accepts(Object receiver) {
            return receiver instanceof ParsedText;
        }

        @Override
        public boolean isExecutable(Object receiver) {
            return true;
        }

        @Override
        public Object execute(Object receiver, Object... arguments) {
            return ((ParsedText) receiver).run.call(arguments);
        }

        @Override
        public boolean isAdoptable() {
            return false;
        }
    }
}
