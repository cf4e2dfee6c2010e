package dev.blockscope.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blockscope.HostFailure;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Case H6: whatever becomes of an exception on its way, the reason is seen. */
final class WireFailureTest {
    private static Throwable here(Vocabulary vocabulary) {
        Throwable there = new IllegalStateException("late", new IOException("no disk"));
        Outcome read = Outcome.read(Outcome.of(there, vocabulary), vocabulary);
        return ((Outcome.Failure) read).exception();
    }

    @Test
    void anExceptionThatCannotBeMadeHereTellsWhatItWasThere() {
        IllegalArgumentException why = new IllegalArgumentException("no such state");
        Vocabulary failing =
                Vocabulary.builder()
                        .exception(
                                IllegalStateException.class,
                                message -> {
                                    throw why;
                                })
                        .build();
        assertThat(here(failing))
                .isInstanceOfSatisfying(
                        HostFailure.class,
                        it ->
                                assertThat(it.className())
                                        .isEqualTo(IllegalStateException.class.getName()))
                .hasMessage("java.lang.IllegalStateException: late")
                .hasSuppressedException(why)
                .cause()
                .hasMessage("java.io.IOException: no disk");
    }

    @Test
    void anExceptionThatIsMadeWithoutACauseTellsItBeside() {
        Vocabulary causeless =
                Vocabulary.builder()
                        .exception(
                                IllegalStateException.class,
                                message -> new IllegalStateException(message, null))
                        .build();
        assertThat(here(causeless))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("late")
                .hasNoCause();
        assertThat(here(causeless).getSuppressed())
                .singleElement()
                .satisfies(it -> assertThat(it).hasMessage("java.io.IOException: no disk"));
    }

    @Test
    void anExceptionOfWhichNoMoreCanBeToldIsToldAllTheSame() {
        Vocabulary silent =
                Vocabulary.builder()
                        .exception(
                                IllegalStateException.class,
                                exception -> {
                                    throw new UnsupportedOperationException("nothing to tell");
                                },
                                (message, more) -> new IllegalStateException(message))
                        .build();
        assertThat(here(silent))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("late")
                .hasRootCauseMessage("java.io.IOException: no disk");
        assertThat(here(silent).getSuppressed())
                .singleElement()
                .satisfies(it ->
                        assertThat(it)
                                .hasMessage(
                                        "java.lang.UnsupportedOperationException: nothing to tell"));
    }
}
