package dev.blockscope.wire;

import java.util.Set;

/** The CBOR tags of the format; all are registered with IANA. */
final class CborTags {
    /** A point in time as text, RFC 8949. */
    static final int INSTANT = 0;

    /** Bignums, which the CBOR library reads and writes itself. */
    static final int BIG_POSITIVE = 2;

    static final int BIG_NEGATIVE = 3;

    /** A decimal fraction, which the CBOR library reads and writes itself. */
    static final int DECIMAL = 4;

    /** An object as an array of a name and what it is made of. */
    static final int OBJECT = 27;

    /** A value that others refer to; they are counted from 0 in the order of their tags. */
    static final int SHARED = 28;

    /** The number of a value that was marked as shared. */
    static final int REFERENCE = 29;

    // Typed arrays, RFC 8746, the least significant byte first.

    static final int INT16_ARRAY = 77;
    static final int INT32_ARRAY = 78;
    static final int INT64_ARRAY = 79;
    static final int FLOAT32_ARRAY = 85;
    static final int FLOAT64_ARRAY = 86;

    /** A set, in its order. */
    static final int SET = 258;

    /** A day as text, RFC 8943. */
    static final int DATE = 1004;

    // Names of objects that are no single plain value.

    /** A map whose keys are not all text: pairs of key and value. */
    static final String MAP = "map";

    /** A Java array of objects: its length, and its elements. */
    static final String ARRAY = "array";

    /** A Java array of booleans. */
    static final String BOOLEANS = "booleans";

    /** A Java array of characters, as one text. */
    static final String CHARS = "chars";

    /** A host object by its name. */
    static final String NAMED = "reference";

    /** A guest function as its source. */
    static final String FUNCTION = "function";

    /** A text that is no Unicode text, as its UTF-16 units, the most significant byte first. */
    static final String UTF_16 = "utf16";

    static final Set<String> OBJECT_NAMES =
            Set.of(MAP, ARRAY, BOOLEANS, CHARS, NAMED, FUNCTION, UTF_16);

    private CborTags() {}
}
