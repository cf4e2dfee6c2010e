package dev.blockscope;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicBoolean;
import org.graalvm.polyglot.Engine;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What guest code runs on. Whether that compiles is decided when Java starts.
 *
 * @param isCompiled whether guest code is compiled to machine code
 * @param text the name, the version, whether it compiles, and if not, why not, in one line
 */
record GuestRuntime(boolean isCompiled, String text) {
    private static final Logger LOG = LoggerFactory.getLogger("dev.blockscope.runtime");

    /** It is the same for all engines of a JVM, and is told once. */
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    /** Returns the runtime of an engine, and logs it if that is the first. */
    static GuestRuntime of(Engine engine) {
        String name = engine.getImplementationName();
        boolean compiled = !name.equals("Interpreted");
        String version = versionOf(engine);
        GuestRuntime runtime =
                new GuestRuntime(
                        compiled,
                        compiled
                                ? "%s %s, guest code is compiled".formatted(name, version)
                                : "GraalVM %s, guest code is interpreted; start Java with JVMCI and the Graal compiler on the upgrade module path to compile it"
                                        .formatted(version));
        if (!TOLD.getAndSet(true)) {
            LOG.info("{}", runtime.text);
        }
        return runtime;
    }

    /** The community build calls its version "Development Build"; its jars know better. */
    private static String versionOf(Engine engine) {
        String resource = "/META-INF/graalvm/org.graalvm.polyglot/version";
        try (InputStream version = Engine.class.getResourceAsStream(resource)) {
            return version == null
                    ? engine.getVersion()
                    : new String(version.readAllBytes(), UTF_8).strip();
        } catch (IOException e) {
            return engine.getVersion();
        }
    }
}
