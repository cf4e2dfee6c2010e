package dev.blockscope.truffle;

import com.oracle.truffle.api.CompilerDirectives.TruffleBoundary;
import com.oracle.truffle.api.interop.InteropException;
import com.oracle.truffle.api.interop.InteropLibrary;
import com.oracle.truffle.api.interop.TruffleObject;
import com.oracle.truffle.api.object.DynamicObject;
import com.oracle.truffle.api.object.Property;
import com.oracle.truffle.api.object.PropertyGetter;
import com.oracle.truffle.api.object.Shape;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * The objects that every text of a context can reach without being given them: what the language
 * brings along. It remembers them as they are in a fresh context, and tells later whether guest
 * code has left a mark on one of them.
 *
 * <p>As a guest object it is a function {@code (onAccessor, ...roots)}: the roots, and all that can
 * be reached from them through properties, are remembered. {@code onAccessor} is called with each
 * object and key whose property is an accessor: only guest code can tell the functions behind it,
 * and remembers them in turn.
 */
public final class Intrinsics implements TruffleObject {
    static {
        ExecutableExport.register(Intrinsics.class, Intrinsics::remember);
    }

    private final List<ObjectShape> objects = new ArrayList<>();
    private final List<PropertyValue> properties = new ArrayList<>();
    private final Set<DynamicObject> known = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Deque<DynamicObject> open = new ArrayDeque<>();

    /** Creates one that remembers nothing yet. */
    public Intrinsics() {}

    /** Whether every object is as it was. No thread may run in the context meanwhile. */
    public boolean areUnmarked() {
        for (ObjectShape object : objects) {
            if (!object.isUnmarked()) {
                return false;
            }
        }
        for (PropertyValue property : properties) {
            if (!property.isUnmarked()) {
                return false;
            }
        }
        return true;
    }

    @TruffleBoundary
    private void remember(Object[] arguments) throws InteropException {
        for (int i = 1; i < arguments.length; i++) {
            discover(arguments[i]);
        }
        while (!open.isEmpty()) {
            remember(open.pop(), arguments[0]);
        }
    }

    private void remember(DynamicObject object, Object onAccessor) throws InteropException {
        Shape shape = object.getShape();
        objects.add(new ObjectShape(object, shape));
        for (Property property : shape.getPropertyListInternal(true)) {
            PropertyGetter getter = shape.makePropertyGetter(property.getKey());
            Object value = getter.get(object);
            // A constant is part of the shape.
            if (!property.getLocation().isConstant()) {
                properties.add(new PropertyValue(object, getter, value));
            }
            // An accessor is no guest object, and its class is the language's own.
            if (value.getClass().getSimpleName().equals("Accessor")) {
                InteropLibrary.getUncached().execute(onAccessor, object, property.getKey());
            } else {
                discover(value);
            }
        }
    }

    private void discover(Object value) {
        if (value instanceof DynamicObject object && known.add(object)) {
            open.push(object);
        }
    }

    /** An object's shape as it was: it tells which properties there are, and of which kind. */
    private record ObjectShape(DynamicObject object, Shape shape) {
        boolean isUnmarked() {
            return object.getShape() == shape;
        }
    }

    /** What a property of an object held. */
    private record PropertyValue(DynamicObject object, PropertyGetter getter, Object value) {
        @SuppressWarnings("ReferenceEquality") // the same is equal without being asked
        boolean isUnmarked() {
            Object now = getter.get(object);
            return now == value || now.equals(value);
        }
    }
}
