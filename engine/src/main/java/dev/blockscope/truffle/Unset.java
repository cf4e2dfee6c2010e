package dev.blockscope.truffle;

import com.oracle.truffle.api.interop.TruffleObject;

/**
 * What a parameter holds until its text assigns it. It is given only to parameters that the text
 * cannot read before it has assigned them, so guest code never sees it.
 */
public final class Unset implements TruffleObject {
    /** The one there is. */
    public static final Unset UNSET = new Unset();

    private Unset() {}
}
