/**
 * The machinery below the engine, and the only package that knows the Truffle API.
 *
 * <p>An instrument of our own parses a text with argument names, makes the parsed target executable
 * for the host, lists the names a text uses, and shows the live frame of a running block. It is not
 * exported: the engine reaches it through {@link dev.blockscope.truffle.GuestAccess}.
 */
@NullMarked
package dev.blockscope.truffle;

import org.jspecify.annotations.NullMarked;
