package dev.blockscope.truffle;

import com.oracle.truffle.api.RootCallTarget;
import com.oracle.truffle.api.interop.InteropLibrary;
import com.oracle.truffle.api.interop.TruffleObject;
import com.oracle.truffle.api.library.LibraryExport;
import com.oracle.truffle.api.nodes.DirectCallNode;
import com.oracle.truffle.api.source.Source;
import org.jspecify.annotations.Nullable;

/**
 * A parsed text as an executable guest object, valid in the context that parsed it.
 *
 * <p>The interop export is registered by hand: Truffle's annotation processor, which would write
 * the same, is not published for use outside Graal.
 */
public final class ParsedText implements TruffleObject {
    static {
        LibraryExport.register(ParsedText.class, new Exports());
    }

    private final RootCallTarget target;
    private final Source source;

    ParsedText(RootCallTarget target, Source source) {
        this.target = target;
        this.source = source;
    }

    Source source() {
        return source;
    }

    private static final class Exports extends LibraryExport<InteropLibrary> {
        Exports() {
            super(InteropLibrary.class, ParsedText.class, false, false, 0);
        }

        @Override
        protected InteropLibrary createUncached(Object receiver) {
            return new Executable(null);
        }

        @Override
        protected InteropLibrary createCached(Object receiver) {
            return new Executable(DirectCallNode.create(((ParsedText) receiver).target));
        }
    }

    private static final class Executable extends InteropLibrary {
        @Child private @Nullable DirectCallNode direct;

        Executable(@Nullable DirectCallNode direct) {
            this.direct = direct == null ? null : insert(direct);
        }

        @Override
        @SuppressWarnings("ReferenceEquality") // call targets have no other
        public boolean accepts(Object receiver) {
            return receiver instanceof ParsedText text
                    && (direct == null || direct.getCallTarget() == text.target);
        }

        @Override
        public boolean isExecutable(Object receiver) {
            return true;
        }

        @Override
        public Object execute(Object receiver, Object... arguments) {
            DirectCallNode call = direct;
            return call == null
                    ? ((ParsedText) receiver).target.call(arguments)
                    : call.call(arguments);
        }

        @Override
        public boolean isAdoptable() {
            return direct != null;
        }
    }
}
