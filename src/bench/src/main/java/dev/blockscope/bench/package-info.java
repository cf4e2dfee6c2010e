/**
 * What Blockscope costs, each time against the same work done without it in the same run. Start
 * with {@code src/bench/run}, which compiles guest code and prints the ratios.
 */
@NullMarked
package dev.blockscope.bench;

import org.jspecify.annotations.NullMarked;
