package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.graalvm.polyglot.HostAccess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a block reaches of the host, by how far it is trusted. */
class TrustTest {
    /** A host object that a user might put into a frame. */
    public static final class Service {
        public int field = 1;

        public String name() {
            return "service";
        }

        public Class<?> type() {
            return String.class;
        }

        public Thread thread() {
            return Thread.currentThread();
        }

        public Object loader() {
            return getClass().getClassLoader();
        }

        public Object method() throws NoSuchMethodException {
            return String.class.getMethod("length");
        }
    }

    private static Object evaluate(Trust trust, String text) {
        try (BlockEngine engine = BlockEngine.builder().trust(trust).build()) {
            return engine.capture(text, frame("svc", new Service())).evaluate().value();
        }
    }

    @Test
    void isTheStrictestUnlessToldOtherwise() {
        try (BlockEngine engine = BlockEngine.create()) {
            assertThat(engine.trust()).isSameAs(Trust.UNTRUSTED).hasToString("UNTRUSTED");
        }
    }

    @Test
    void inNobodyLeavesOnlyWhatIsExported() {
        assertThat(
                        evaluate(
                                Trust.UNTRUSTED,
                                "[typeof svc.name, typeof svc.field, typeof Java].join()"))
                .isEqualTo("undefined,undefined,undefined");
    }

    @ParameterizedTest
    @CsvSource({
        "console, object",
        "print, function",
        "setTimeout, function",
        "queueMicrotask, function",
        "load, undefined",
        "loadWithNewGlobal, undefined",
        "Graal, undefined",
        "Java, undefined",
        "Packages, undefined",
        "Polyglot, undefined",
        "WebAssembly, undefined",
        "require, undefined",
        "process, undefined",
        "read, undefined",
        "readFully, undefined",
        "readline, undefined",
        "quit, undefined",
        "exit, undefined",
        "arguments, undefined",
        "performance, undefined",
        "fetch, undefined"
    })
    void inNobodyGivesTheLanguageWithoutItsDoors(String name, String type) {
        String text = "[typeof NAME, typeof globalThis.NAME].join()".replace("NAME", name);

        assertThat(evaluate(Trust.UNTRUSTED, text)).isEqualTo(type + "," + type);
    }

    @ParameterizedTest
    @CsvSource({
        "svc.name(), service",
        "svc.field, 1",
        "typeof svc.getClass, undefined",
        "typeof svc.type().getName, undefined",
        "typeof svc.type().forName, undefined",
        "typeof svc.thread().getContextClassLoader, undefined",
        "typeof svc.loader().loadClass, undefined",
        "typeof svc.method().invoke, undefined",
        "typeof Java, undefined",
        "typeof load, undefined",
    })
    void inMembersOpensObjectsAndNoReflection(String text, String expected) {
        assertThat(evaluate(Trust.MEMBERS, text)).hasToString(expected);
    }

    @Test
    void enginesOfDifferentTrustLiveSideBySide() {
        String text = "[typeof svc.name, typeof Java].join()";
        try (BlockEngine strict = BlockEngine.create();
                BlockEngine open = BlockEngine.builder().trust(Trust.HOST).build()) {
            Block closed = strict.capture(text, frame("svc", new Service()));
            Block opened = open.capture(text, frame("svc", new Service()));

            for (int i = 0; i < 2; i++) {
                assertThat(closed.evaluate().value()).isEqualTo("undefined,undefined");
                assertThat(opened.evaluate().value()).isEqualTo("function,object");
            }
        }
    }

    @Test
    void ofAHostOpensItsClasses() {
        assertThat(evaluate(Trust.HOST, "Java.type('java.lang.Math').abs(-3)")).isEqualTo(3);
    }

    /** What the Javadoc says that a preset equals is read, built, and held against the preset. */
    @ParameterizedTest
    @ValueSource(strings = {"UNTRUSTED", "MEMBERS", "HOST"})
    void equalsWhatItsJavadocSays(String preset) throws Exception {
        Trust trust = (Trust) Trust.class.getField(preset).get(null);
        String said = javadocOf(preset);
        Matcher access = Pattern.compile("HostAccess access =(.*?);").matcher(said);

        if (access.find()) {
            assertThat(builtFrom(access.group(1))).isEqualTo(trust.access());
        } else {
            assertThat(said).contains(".allowAllAccess(true)");
            assertThat(trust.access()).isNull();
        }
        Map<String, String> options = new HashMap<>();
        Pattern.compile("option\\(\"([\\w.-]+)\", \"(\\w+)\"\\)")
                .matcher(said)
                .results()
                .forEach(option -> options.put(option.group(1), option.group(2)));
        assertThat(new JavaScript().options(trust)).containsAllEntriesOf(options);
        assertThat(options.isEmpty()).isEqualTo(trust.opensTheHost());
    }

    private static String javadocOf(String preset) throws IOException {
        String source = Files.readString(Path.of("src/main/java/dev/blockscope/Trust.java"));
        String before = source.substring(0, source.indexOf("public static final Trust " + preset));
        return before.substring(before.lastIndexOf("/**")).replaceAll("\\s*\n\\s*\\*\\s*", "");
    }

    /** Builds what a chain of calls of a builder says. */
    private static HostAccess builtFrom(String calls) throws ReflectiveOperationException {
        HostAccess.Builder builder =
                calls.contains("newBuilder(HostAccess.EXPLICIT)")
                        ? HostAccess.newBuilder(HostAccess.EXPLICIT)
                        : HostAccess.newBuilder();
        Matcher call =
                Pattern.compile("\\.((?:allow|deny)\\w+)\\(([\\w.]+)(?:, (\\w+))?\\)")
                        .matcher(calls);
        while (call.find()) {
            String argument = call.group(2);
            if (!argument.endsWith(".class")) {
                HostAccess.Builder.class
                        .getMethod(call.group(1), boolean.class)
                        .invoke(builder, Boolean.parseBoolean(argument));
            } else if (call.group(3) == null) {
                builder.denyAccess(classOf(argument));
            } else {
                builder.denyAccess(classOf(argument), Boolean.parseBoolean(call.group(3)));
            }
        }
        return builder.build();
    }

    private static Class<?> classOf(String literal) throws ClassNotFoundException {
        String name =
                literal.replaceFirst("\\.class$", "").replace("MethodHandles.", "MethodHandles$");
        for (String place : List.of("java.lang.", "java.lang.invoke.", "java.lang.reflect.")) {
            try {
                return Class.forName(place + name);
            } catch (ClassNotFoundException e) {
                // It is in another of them.
            }
        }
        throw new ClassNotFoundException(literal);
    }
}
