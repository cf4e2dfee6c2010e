/**
 * Blocks as bytes: an {@link dev.blockscope.wire.Envelope} holds a block's text, its place and the
 * values of the names it reads, in a format that any language can write.
 *
 * <p>A {@link dev.blockscope.wire.Dispatcher} has blocks run elsewhere, and a {@link
 * dev.blockscope.wire.RemoteComputation} whole traces of a computation that is there.
 *
 * <p>The format is CBOR (RFC 8949). It names no Java class, and reading it loads none.
 */
@NullMarked
package dev.blockscope.wire;

import org.jspecify.annotations.NullMarked;
