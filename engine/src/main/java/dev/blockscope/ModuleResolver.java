package dev.blockscope;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Gives blocks the modules that they {@code import()}. What it does not hand out cannot be read.
 *
 * <p>A module is named by its path with slashes. A specifier that begins with {@code ./} or {@code
 * ../} is relative to the file of the block or the module that imports; a path that would climb
 * above the root is refused before anybody is asked.
 *
 * {@snippet :
 * ModuleResolver modules = ModuleResolver.of(Map.of("rules/lib.js", "export const f = x => 2 * x"));
 * BlockEngine engine = BlockEngine.builder().modules(modules).build();
 * engine.capture("const { f } = await import('./lib.js'); f(4)", frameOfRulesFile).run(); // 8
 * }
 *
 * @since 0.1
 */
@FunctionalInterface
public interface ModuleResolver {
    /**
     * Returns a module's text, or empty if there is none of that name. It may be called from many
     * threads, for one module once in each guest context that imports it.
     *
     * @param path the name without {@code .} and {@code ..}, such as {@code rules/lib.js}
     * @throws RuntimeException if it cannot be read; the import then fails with that
     */
    Optional<String> resolve(String path);

    /** Returns a resolver that has no module. */
    static ModuleResolver none() {
        return path -> Optional.empty();
    }

    /** Returns a resolver of modules in memory, by their paths. */
    static ModuleResolver of(Map<String, String> modules) {
        Map<String, String> known = Map.copyOf(modules);
        return path -> Optional.ofNullable(known.get(path));
    }

    /**
     * Returns a resolver of the files in a folder and below it. A link that leads out of it is not
     * followed.
     *
     * @throws IllegalArgumentException if it is no folder
     */
    static ModuleResolver ofFolder(Path folder) {
        checkArgument(Files.isDirectory(folder), "%s is not a folder", folder);
        return path -> {
            try {
                Path root = folder.toRealPath();
                Path file = root.resolve(path);
                if (!Files.isRegularFile(file) || !file.toRealPath().startsWith(root)) {
                    return Optional.empty();
                }
                return Optional.of(Files.readString(file));
            } catch (IOException e) {
                throw new UncheckedIOException("module %s cannot be read".formatted(path), e);
            }
        };
    }

    /**
     * Returns a resolver of the resources beside a class and below: of a jar, or wherever the class
     * was loaded from.
     */
    static ModuleResolver ofResources(Class<?> beside) {
        requireNonNull(beside, "beside");
        return path -> {
            if (path.startsWith("/")) {
                return Optional.empty();
            }
            try (InputStream text = beside.getResourceAsStream(path)) {
                return text == null
                        ? Optional.empty()
                        : Optional.of(new String(text.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException("module %s cannot be read".formatted(path), e);
            }
        };
    }
}
