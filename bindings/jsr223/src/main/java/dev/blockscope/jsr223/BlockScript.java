package dev.blockscope.jsr223;

import static java.util.Objects.requireNonNull;

import dev.blockscope.BlockSource;
import javax.script.Bindings;
import javax.script.CompiledScript;
import javax.script.ScriptContext;
import javax.script.ScriptException;
import org.jspecify.annotations.Nullable;

/** A script that has been parsed. */
final class BlockScript extends CompiledScript {
    private final BlockScriptEngine engine;
    private final BlockSource source;

    BlockScript(BlockScriptEngine engine, BlockSource source) {
        this.engine = engine;
        this.source = source;
    }

    @Override
    public @Nullable Object eval(ScriptContext context) throws ScriptException {
        return engine.run(source, requireNonNull(context, "context"));
    }

    /** As specified, no bindings are those of the engine's context. */
    @Override
    public @Nullable Object eval(@Nullable Bindings bindings) throws ScriptException {
        return bindings == null ? eval() : engine.run(source, bindings);
    }

    @Override
    public BlockScriptEngine getEngine() {
        return engine;
    }
}
