/**
 * One runnable class per thing a user wants to do with Blockscope. Start them with {@code
 * samples/run}, which lists them, builds what is missing and runs guest code compiled.
 */
@NullMarked
package dev.blockscope.samples;

import org.jspecify.annotations.NullMarked;
