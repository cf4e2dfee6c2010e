package dev.blockscope.truffle;

import com.oracle.truffle.api.frame.Frame;
import com.oracle.truffle.api.frame.FrameDescriptor;
import com.oracle.truffle.api.frame.FrameSlotKind;
import com.oracle.truffle.api.interop.InteropLibrary;
import com.oracle.truffle.api.interop.TruffleObject;
import com.oracle.truffle.api.interop.UnknownIdentifierException;
import com.oracle.truffle.api.library.LibraryExport;
import com.oracle.truffle.api.nodes.Node;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The variables of a {@code catch} clause. The language has no scope object for them, so they are
 * read from the frame they are in.
 */
final class CatchScope implements TruffleObject {
    static {
        LibraryExport.register(CatchScope.class, new Exports());
    }

    private final Frame frame;
    private final Map<String, Integer> slots;

    private CatchScope(Frame frame, Map<String, Integer> slots) {
        this.frame = frame;
        this.slots = slots;
    }

    /**
     * Returns the variables of a clause that is running.
     *
     * @param clause the statement, whose parts write the variables
     * @param frame the frame they are in
     */
    static CatchScope of(Node clause, Frame frame) {
        Map<String, Integer> slots = new LinkedHashMap<>();
        FrameDescriptor descriptor = frame.getFrameDescriptor();
        for (Node part : clause.getChildren()) {
            part.accept(node -> {
                String name = NameFinder.describe(node, "writeVariableName");
                if (name != null) {
                    int slot = slotOf(name, frame, descriptor);
                    if (slot >= 0) {
                        slots.put(name, slot);
                    }
                }
                return !BlockScopes.isBlock(node);
            });
        }
        return new CatchScope(frame, slots);
    }

    /** Braces that have ended are cleared, so the last one of a name that is set is meant. */
    private static int slotOf(String name, Frame frame, FrameDescriptor descriptor) {
        for (int slot = descriptor.getNumberOfSlots() - 1; slot >= 0; slot--) {
            if (name.equals(String.valueOf(descriptor.getSlotName(slot)))
                    && frame.getTag(slot) != FrameSlotKind.Illegal.tag) {
                return slot;
            }
        }
        return -1;
    }

    Set<String> names() {
        return slots.keySet();
    }

    private Object read(String name) throws UnknownIdentifierException {
        Object value = value(name);
        if (value == null) {
            throw UnknownIdentifierException.create(name);
        }
        return value;
    }

    private @Nullable Object value(String name) {
        Integer slot = slots.get(name);
        return slot == null ? null : frame.getValue(slot);
    }

    private void write(String name, Object value) throws UnknownIdentifierException {
        Integer slot = slots.get(name);
        if (slot == null) {
            throw UnknownIdentifierException.create(name);
        }
        frame.setObject(slot, value);
    }

    private static final class Exports extends LibraryExport<InteropLibrary> {
        Exports() {
            super(InteropLibrary.class, CatchScope.class, false, false, 0);
        }

        @Override
        protected InteropLibrary createUncached(Object receiver) {
            return new Members();
        }

        @Override
        protected InteropLibrary createCached(Object receiver) {
            return new Members();
        }
    }

    private static final class Members extends InteropLibrary {
        @Override
        public boolean accepts(Object receiver) {
            return receiver instanceof CatchScope;
        }

        @Override
        public boolean hasMembers(Object receiver) {
            return true;
        }

        @Override
        public boolean isMemberReadable(Object receiver, String name) {
            return ((CatchScope) receiver).value(name) != null;
        }

        @Override
        public boolean isMemberModifiable(Object receiver, String name) {
            return isMemberReadable(receiver, name);
        }

        @Override
        public Object readMember(Object receiver, String name) throws UnknownIdentifierException {
            return ((CatchScope) receiver).read(name);
        }

        @Override
        public void writeMember(Object receiver, String name, Object value)
                throws UnknownIdentifierException {
            ((CatchScope) receiver).write(name, value);
        }

        @Override
        public boolean isAdoptable() {
            return false;
        }
    }
}
