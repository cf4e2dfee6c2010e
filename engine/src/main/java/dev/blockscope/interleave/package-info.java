/**
 * Runs blocks in step with a computation of the host: a block waits at named places of the
 * computation, reads the values that pass there, and may replace them.
 *
 * <p>A computation calls {@link dev.blockscope.interleave.Visits#visit} at its {@link
 * dev.blockscope.interleave.HookPoints}; a block holds an {@link dev.blockscope.interleave.Envoy};
 * {@link dev.blockscope.interleave.Interleaver} brings them together, one at a time.
 */
@NullMarked
package dev.blockscope.interleave;

import org.jspecify.annotations.NullMarked;
