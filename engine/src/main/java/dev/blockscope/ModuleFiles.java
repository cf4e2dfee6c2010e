package dev.blockscope;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessMode;
import java.nio.file.DirectoryStream;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Map;
import java.util.Set;
import org.graalvm.polyglot.io.FileSystem;

/**
 * The only files that guest code knows: the modules of a resolver, to be read. A path that climbs
 * above the root is none.
 */
final class ModuleFiles implements FileSystem {
    private static final Path ROOT = Path.of("/");

    private final ModuleResolver resolver;

    ModuleFiles(ModuleResolver resolver) {
        this.resolver = resolver;
    }

    @Override
    public Path parsePath(URI uri) {
        throw new IllegalArgumentException(
                "module \"%s\" is named by an address, and modules are named by their paths"
                        .formatted(uri));
    }

    @Override
    public Path parsePath(String path) {
        return Path.of(path);
    }

    /** A module that is not told where it is stands at the root. */
    @Override
    public Path toAbsolutePath(Path path) {
        return ROOT.resolve(path);
    }

    /** Returns the one path of a module, which is its name in tracebacks. */
    @Override
    public Path toRealPath(Path path, LinkOption... linkOptions) throws IOException {
        String name = nameOf(path);
        textOf(name);
        return Path.of(name);
    }

    @Override
    public void checkAccess(Path path, Set<? extends AccessMode> modes, LinkOption... linkOptions)
            throws IOException {
        if (modes.contains(AccessMode.WRITE) || modes.contains(AccessMode.EXECUTE)) {
            throw readOnly(path);
        }
        textOf(nameOf(path));
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attrs)
            throws IOException {
        String name = nameOf(path);
        String text = textOf(name);
        Run.moduleRead(name);
        return new TextChannel(ByteBuffer.wrap(text.getBytes(UTF_8)));
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options)
            throws IOException {
        int size = textOf(nameOf(path)).getBytes(UTF_8).length;
        return Map.of("isRegularFile", true, "isDirectory", false, "size", (long) size);
    }

    @Override
    public void createDirectory(Path dir, FileAttribute<?>... attrs) throws IOException {
        throw readOnly(dir);
    }

    @Override
    public void delete(Path path) throws IOException {
        throw readOnly(path);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(
            Path dir, DirectoryStream.Filter<? super Path> filter) throws IOException {
        throw new IOException("modules cannot be listed");
    }

    private String textOf(String name) throws IOException {
        Run.moduleLoaded();
        return resolver.resolve(name)
                .orElseThrow(() ->
                        new NoSuchFileException(
                                name, null, "the host's resolver has no module of this name"));
    }

    /** Returns the name under which a resolver knows a path. */
    private static String nameOf(Path path) throws IOException {
        Path normal = path.normalize();
        String name = normal.toString().replace('\\', '/');
        if (name.equals("..") || name.startsWith("../")) {
            throw new NoSuchFileException(
                    path.toString().replace('\\', '/'),
                    null,
                    "it is above the root, where no module is");
        }
        return name;
    }

    private static IOException readOnly(Path path) {
        return new IOException("module %s can only be read".formatted(path));
    }
}
