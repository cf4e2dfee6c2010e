/**
 * The names of plain scripts, read from the text alone: what nearly all short blocks are made of,
 * in a fraction of the time that the language takes to parse and to tell.
 */
@NullMarked
package dev.blockscope.script;

import org.jspecify.annotations.NullMarked;
