package dev.blockscope;

import org.graalvm.polyglot.Value;

/** Questions about guest values that the polyglot API answers only in a roundabout way. */
final class Guest {
    private Guest() {}

    /** Returns the simple name of the value's class in its own language, or an empty text. */
    static String typeName(Value value) {
        Value type = value.getMetaObject();
        return type == null ? "" : type.getMetaSimpleName();
    }
}
