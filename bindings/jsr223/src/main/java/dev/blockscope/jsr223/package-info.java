/**
 * Blocks behind {@code javax.script}, the interface that the JVM has for scripts.
 *
 * <p>Ask a {@link javax.script.ScriptEngineManager} for the engine {@code blockscope}, or make a
 * {@link dev.blockscope.jsr223.BlockScriptEngineFactory} over an engine of your own. Any {@link
 * javax.script.Bindings} is a frame: scripts evaluated with it go on with its variables.
 */
@NullMarked
package dev.blockscope.jsr223;

import org.jspecify.annotations.NullMarked;
