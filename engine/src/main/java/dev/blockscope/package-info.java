/**
 * Captures a block of guest code with the variables around it and runs it later, as if it had run
 * on the line it was written on.
 *
 * <p>Start at {@link dev.blockscope.BlockEngine}: it captures a {@link dev.blockscope.Block} of
 * text in a {@link dev.blockscope.Frame}. While the block runs, names resolve through its {@link
 * dev.blockscope.Scope}; what it assigned enters the frame by one push. An error in it is a {@link
 * dev.blockscope.BlockException} with a {@link dev.blockscope.Traceback} of the user's own lines.
 */
@NullMarked
package dev.blockscope;

import org.jspecify.annotations.NullMarked;
