package dev.blockscope.interleave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.Lending;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** How long what a computation lends to blocks is theirs. */
final class LendingTest extends InStep {
    private static final HookPoints POINTS = HookPoints.of(List.of("a"));

    private final List<String> said = new ArrayList<>();

    @Override
    HookPoints points() {
        return POINTS;
    }

    /** A computation that lends something. */
    private Object lends(Visits visits) {
        Lending.atEnd(() -> said.add("end, x is " + locals.get("x")));
        return visits.visit("a", 1);
    }

    @Test
    void itEndsWhenTheTraceHasPushed() {
        said.clear();
        trace(
                visits -> {
                    Object result = lends(visits);
                    said.add("computed");
                    return result;
                },
                "x = it.a");

        assertThat(said).containsExactly("computed", "end, x is 1");
    }

    @Test
    void itEndsWithATraceThatFails() {
        said.clear();
        assertThatThrownBy(() -> trace(this::lends, "x = it.a; throw new Error('enough')"))
                .hasMessageContaining("enough");

        assertThat(said).containsExactly("end, x is null");
    }

    @Test
    void whatNoBlockCanBeUsingIsTakenBackAfterTheEnd() {
        said.clear();
        trace(this::lendsWhatOthersGet, "it.a");

        assertThat(said).containsExactly("end, x is null", "unused");
    }

    @Test
    void ofATraceThatFailsABlockMayStillUseIt() {
        said.clear();
        assertThatThrownBy(() -> trace(this::lendsWhatOthersGet, "it.a; throw new Error('no')"))
                .hasMessageContaining("no");

        assertThat(said).containsExactly("end, x is null");
    }

    @Test
    void soItMayInASessionThatGoesOnAfterATraceThatFailed() {
        said.clear();
        Session.run(() -> {
            trace(this::lendsWhatOthersGet, "it.a");
            assertThatThrownBy(() -> trace(this::lends, "it.a; throw new Error('no')"))
                    .hasMessageContaining("no");
            return null;
        });

        assertThat(said).containsExactly("end, x is null", "end, x is null");
    }

    private Object lendsWhatOthersGet(Visits visits) {
        Lending.onceUnused(() -> said.add("unused"));
        return lends(visits);
    }

    @Test
    void inASessionItEndsWhenTheSessionHasPushed() {
        said.clear();
        Session.run(() -> {
            trace(this::lends, "x = it.a");
            said.add("first");
            trace(this::lends, "it.a");
            said.add("second");
            return null;
        });

        assertThat(said).containsExactly("first", "second", "end, x is 1", "end, x is 1");
    }

    @Test
    void ofATraceThatABlockStartsItEndsWithTheTraceAroundIt() {
        said.clear();
        Supplier<Object> nested = () -> trace(this::lends, "x = it.a").result();
        locals.put("nested", nested);
        trace(
                visits -> {
                    said.add("goes on");
                    return visits.visit("a", 2);
                },
                "nested(); it.a");

        assertThat(said).containsExactly("goes on", "end, x is 1");
    }

    @Test
    void withoutATraceThereIsNobodyToLendTo() {
        assertThatThrownBy(() -> Lending.atEnd(() -> {}))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("only while a trace runs it");
        assertThatThrownBy(() -> Lending.onceUnused(() -> {}))
                .isInstanceOf(IllegalStateException.class);
    }
}
