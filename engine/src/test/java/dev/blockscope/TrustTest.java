package dev.blockscope;

import static dev.blockscope.Frames.frame;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
}
