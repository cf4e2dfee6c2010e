package dev.blockscope.jsr223;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.blockscope.BlockEngine;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import javax.script.ScriptEngine;
import javax.script.ScriptEngineFactory;
import org.jspecify.annotations.Nullable;

/**
 * Makes script engines that run scripts as blocks. A {@link javax.script.ScriptEngineManager} finds
 * it by the names {@code blockscope} and {@code blockscope-js}; names, types and extensions that
 * other engines of JavaScript have are left to them.
 *
 * {@snippet :
 * ScriptEngine engine = new ScriptEngineManager().getEngineByName("blockscope");
 * }
 *
 * <p>Script engines of the factory that the manager finds have each a {@link BlockEngine} of their
 * own with its default settings. For other settings, or to share one, make a factory {@linkplain
 * #of over an engine}.
 *
 * @since 0.1
 */
public final class BlockScriptEngineFactory implements ScriptEngineFactory {
    private static final String NAME = "blockscope";

    private final @Nullable BlockEngine shared;

    /** Creates a factory whose script engines have each an engine of their own. */
    public BlockScriptEngineFactory() {
        this(null);
    }

    private BlockScriptEngineFactory(@Nullable BlockEngine shared) {
        this.shared = shared;
    }

    /**
     * Returns a factory whose script engines run their scripts in one engine, with its settings.
     * Closing them does not close it: that is up to who made it.
     *
     * {@snippet :
     * BlockEngine engine = BlockEngine.builder().limits(Limits.UNTRUSTED).build();
     * manager.registerEngineName("rules", BlockScriptEngineFactory.of(engine));
     * }
     */
    public static BlockScriptEngineFactory of(BlockEngine engine) {
        return new BlockScriptEngineFactory(requireNonNull(engine, "engine"));
    }

    @Override
    public String getEngineName() {
        return "Blockscope";
    }

    @Override
    public String getEngineVersion() {
        try (InputStream version =
                requireNonNull(
                        BlockScriptEngineFactory.class.getResourceAsStream("version"), "version")) {
            return new String(version.readAllBytes(), UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("the version of this library cannot be read", e);
        }
    }

    /** Returns nothing that an engine of another library might be asked for. */
    @Override
    public List<String> getExtensions() {
        return List.of("blockscope");
    }

    @Override
    public List<String> getMimeTypes() {
        return List.of("application/x-blockscope");
    }

    @Override
    public List<String> getNames() {
        return List.of(NAME, "blockscope-js");
    }

    @Override
    public String getLanguageName() {
        return "ECMAScript";
    }

    @Override
    public String getLanguageVersion() {
        return "2025";
    }

    /**
     * Returns a fact about the engine, or null if the key is not known. {@code THREADING} is {@code
     * MULTITHREADED}: scripts over one {@code Bindings} take turns and see each other's effects,
     * those over others run at the same time.
     */
    @Override
    public @Nullable Object getParameter(String key) {
        return switch (requireNonNull(key, "key")) {
            case ScriptEngine.ENGINE -> getEngineName();
            case ScriptEngine.ENGINE_VERSION -> getEngineVersion();
            case ScriptEngine.LANGUAGE -> getLanguageName();
            case ScriptEngine.LANGUAGE_VERSION -> getLanguageVersion();
            case ScriptEngine.NAME -> NAME;
            case "THREADING" -> "MULTITHREADED";
            default -> null;
        };
    }

    @Override
    public String getMethodCallSyntax(String object, String method, String... arguments) {
        return "%s.%s(%s)".formatted(object, method, String.join(", ", arguments));
    }

    @Override
    public String getOutputStatement(String toDisplay) {
        return "print(%s)".formatted(literal(toDisplay));
    }

    /** Returns the statements one after the other, each ended, also one that ends in a comment. */
    @Override
    public String getProgram(String... statements) {
        StringBuilder program = new StringBuilder();
        for (String statement : statements) {
            program.append(statement).append(";\n");
        }
        return program.toString();
    }

    /**
     * Creates a script engine.
     *
     * @throws IllegalStateException if the guest language or our instrument cannot be found
     */
    @Override
    public BlockScriptEngine getScriptEngine() {
        return shared == null
                ? new BlockScriptEngine(this, BlockEngine.create(), true)
                : new BlockScriptEngine(this, shared, false);
    }

    /** Returns a text as a literal of the language. */
    private static String literal(String text) {
        String escaped =
                text.replace("\\", "\\\\")
                        .replace("\"", "\\\"")
                        .replace("\n", "\\n")
                        .replace("\r", "\\r");
        return '"' + escaped + '"';
    }
}
