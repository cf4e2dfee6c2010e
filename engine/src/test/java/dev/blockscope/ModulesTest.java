package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static dev.blockscope.Frames.map;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Modules that blocks import from the host. */
@Timeout(30)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ModulesTest {
    private static final Map<String, String> MODULES =
            Map.of(
                    "rules/lib.js",
                    "import { k } from '../shared/k.js';\nexport const f = x => k * x;\nexport const boom = () => {\n  throw new Error('in lib') }",
                    "shared/k.js",
                    "export const k = 10;",
                    "rules/count.js",
                    "let n = 0; export const next = () => ++n;",
                    "rules/bad.js",
                    "export const = 1",
                    "rules/imports-bad.js",
                    "import './bad.js'",
                    "rules/calls.js",
                    "export function f(boom) {\n  boom()\n}",
                    "top.js",
                    "export default 'top'");

    private final BlockEngine engine =
            BlockEngine.builder().modules(ModuleResolver.of(MODULES)).build();

    @AfterAll
    void close() {
        engine.close();
    }

    private static Frame rules(@Nullable Object... namesAndValues) {
        return Frame.of(map(namesAndValues), Globals.none(), new FrameCode("rules/a.js", 1, "a"));
    }

    private @Nullable Object value(String text, @Nullable Object... namesAndValues) {
        return engine.capture(text, rules(namesAndValues)).run().value();
    }

    private BlockException failure(String text, @Nullable Object... namesAndValues) {
        Frame frame = rules(namesAndValues);
        return catchThrowableOfType(BlockException.class, () -> engine.capture(text, frame).run());
    }

    @Test
    @Tag("path-shapes")
    void areRelativeToTheFileOfTheBlock() {
        assertThat(value("const { f } = await import('./lib.js'); f(y)", "y", 4)).isEqualTo(40);
        assertThat(value("(await import('../top.js')).default")).isEqualTo("top");
        assertThat(value("import('./lib.js').then(lib => lib.f(2))")).isEqualTo(20);
    }

    @Test
    void showTheirOwnPathInATraceback() {
        BlockException e = failure("const lib = await import('./lib.js');\nlib.boom()");

        assertThat(e.traceback().entries())
                .extracting(entry -> entry.file() + ":" + entry.line())
                .startsWith("rules/lib.js:4", "rules/a.js:2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "../../etc/passwd",
                "../../../../../../etc/passwd",
                "/etc/passwd",
                "./none.js",
                "file:///etc/passwd",
                "http://127.0.0.1/x.js",
                "node:fs"
            })
    void thatTheHostDoesNotOfferCannotBeRead(String specifier) {
        BlockException e = failure("1;\nawait import('" + specifier + "')");

        assertThat(e.traceback().entries().getFirst().file()).isEqualTo("rules/a.js");
        assertThat(e.getMessage()).isNotBlank();
    }

    @Test
    void cannotBeLoadedWhereThereAreNone() {
        try (BlockEngine none = BlockEngine.create()) {
            Block block = none.capture("await import('./lib.js')", frame());

            assertThat(catchThrowableOfType(BlockException.class, block::run)).isNotNull();
        }
    }

    @Test
    void liveInTheFrameThatImportedThem() {
        Frame one = rules();
        String text = "(await import('./count.js')).next()";

        assertThat(engine.capture(text, one).run().value()).isEqualTo(1);
        assertThat(engine.capture(text, one).run().value()).isEqualTo(2);
        assertThat(engine.capture(text, rules()).run().value()).isEqualTo(1);
    }

    @Test
    void ofADataAddressLiveInTheirFrameToo() {
        String text =
                "(await import('data:text/javascript,let%20n=0;export%20const%20next=()=%3E++n')).next()";

        assertThat(engine.capture(text, rules()).run().value()).isEqualTo(1);
        assertThat(engine.capture(text, rules()).run().value()).isEqualTo(1);
    }

    @Test
    void withAnErrorSayWhere() {
        BlockException e = failure("1;\nawait import('./bad.js')");

        assertThat(e).hasMessage("SyntaxError: expected BindingIdentifier or BindingPattern");
        assertThat(e.traceback().pinned())
                .isEqualTo(
                        new Traceback.Entry(
                                "rules/bad.js",
                                1,
                                14,
                                "",
                                "export const = 1",
                                1,
                                Traceback.Code.BLOCK));
        assertThat(e.traceback().entries())
                .extracting(entry -> entry.file() + ":" + entry.line())
                .containsExactly("rules/bad.js:1", "rules/a.js:2");
    }

    @Test
    void withAnErrorSayWhereAlsoIfAnotherModuleImportsThem() {
        BlockException e = failure("await import('./imports-bad.js')");

        assertThat(e.traceback().pinned().file()).isEqualTo("rules/bad.js");
    }

    /** The language may not read it again, and something else was read since. */
    @Test
    void withAnErrorSayWhereAgain() {
        Frame frame = rules();
        for (String between : List.of("1", "await import('./lib.js')")) {
            BlockException e =
                    catchThrowableOfType(
                            BlockException.class,
                            () ->
                                    engine.capture(between + "\nawait import('./bad.js')", frame)
                                            .run());

            assertThat(e.traceback().pinned().file()).endsWith("bad.js");
            assertThat(e.traceback().pinned().line()).isOne();
        }
    }

    @Test
    void areNotDeclaredAtTheTopOfABlock() {
        BlockException e = failure("import { x } from './m.js';\nx + y", "y", 1);

        assertThat(e.kind()).isEqualTo(BlockException.Kind.SYNTAX);
        assertThat(e).hasMessageContaining("await import('./module.js')");
        assertThat(e.traceback().entries().getFirst().line()).isOne();
    }

    @Test
    void letTheVeryExceptionOfTheHostThrough() {
        IllegalStateException host = new IllegalStateException("host");
        Runnable boom =
                () -> {
                    throw host;
                };

        BlockException inScript = failure("function f(boom) {\n  boom()\n}\nf(boom)", "boom", boom);
        BlockException inModule =
                failure("const { f } = await import('./calls.js');\nf(boom)", "boom", boom);

        assertThat(inScript).hasMessage(inModule.getMessage()).cause().isSameAs(host);
        assertThat(inModule).cause().isSameAs(host);
        assertThat(inModule.kind()).isEqualTo(inScript.kind());
        assertThat(inScript.traceback().entries())
                .extracting(entry -> entry.function() + " " + entry.file() + ":" + entry.line())
                .containsExactly("f rules/a.js:2", " rules/a.js:4");
        assertThat(inModule.traceback().entries())
                .extracting(entry -> entry.function() + " " + entry.file() + ":" + entry.line())
                .containsExactly("f rules/calls.js:2", " rules/a.js:2");
    }

    @Test
    void comeFromAFolder(@TempDir Path temp) throws IOException {
        Path folder = Files.createDirectories(temp.resolve("modules/rules")).getParent();
        Files.writeString(folder.resolve("rules/lib.js"), "export const f = () => 'file'");
        Path outside = Files.writeString(temp.resolve("outside.js"), "export {}");
        Files.createSymbolicLink(folder.resolve("rules/link.js"), outside);
        ModuleResolver resolver = ModuleResolver.ofFolder(folder);
        try (BlockEngine files = BlockEngine.builder().modules(resolver).build()) {
            Block block = files.capture("(await import('./lib.js')).f()", rules());

            assertThat(block.run().value()).isEqualTo("file");
        }
        assertThat(resolver.resolve("rules/link.js")).isEmpty();
        assertThat(resolver.resolve("rules")).isEmpty();
    }

    /** A class of a jar, next to which modules are. */
    interface Anchor {}

    @Test
    void comeFromAJar(@TempDir Path folder) throws Exception {
        Path jar = folder.resolve("rules.jar");
        Map<String, byte[]> entries = new LinkedHashMap<>();
        String anchor = Anchor.class.getName().replace('.', '/') + ".class";
        entries.put(anchor, bytesOf("/" + anchor));
        entries.put(
                "dev/blockscope/lib.js",
                "import { k } from './shared/k.js'; export const times = x => k * x"
                        .getBytes(UTF_8));
        entries.put("dev/blockscope/shared/k.js", "export const k = 6".getBytes(UTF_8));
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
                out.putNextEntry(new JarEntry(entry.getKey()));
                out.write(entry.getValue());
            }
        }
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
            ModuleResolver resolver =
                    ModuleResolver.ofResources(loader.loadClass(Anchor.class.getName()));
            try (BlockEngine ofJar = BlockEngine.builder().modules(resolver).build()) {
                String text = "(await import('./lib.js')).times(7)";

                assertThat(ofJar.capture(text, Frame.of(map())).run().value()).isEqualTo(42);
            }
            assertThat(resolver.resolve("none.js")).isEmpty();
            assertThat(resolver.resolve("/dev/blockscope/lib.js")).isEmpty();
        }
    }

    private static byte[] bytesOf(String resource) throws IOException {
        try (InputStream in = requireNonNull(ModulesTest.class.getResourceAsStream(resource))) {
            return in.readAllBytes();
        }
    }
}
