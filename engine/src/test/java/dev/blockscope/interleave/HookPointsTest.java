package dev.blockscope.interleave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class HookPointsTest {
    private static final HookPoints POINTS =
            HookPoints.of(List.of("net", "tax.rate", "tax.amount", "total"));

    @Test
    void keepsTheOrderOfItsPaths() {
        assertThat(POINTS.paths()).containsExactly("net", "tax.rate", "tax.amount", "total");
    }

    @Test
    void containsPointsAndNotTheirParents() {
        assertThat(POINTS.contains("tax.rate")).isTrue();
        assertThat(POINTS.contains("tax")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "a.", ".a", "a..b"})
    void refusesAnEmptyPart(String path) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HookPoints.of(List.of(path)))
                .withMessageContaining("hook point \"" + path + "\" has an empty part");
    }

    @Test
    void findsTheNearestNames() {
        assertThat(POINTS.nearest("tax.amuont")).startsWith("tax.amount").hasSize(3);
    }

    @Property(tries = 200)
    void aNameIsNearestToItself(@ForAll @AlphaChars @StringLength(min = 1, max = 12) String name) {
        assertThat(HookPoints.of(List.of("x.y", "some.thing", name)).nearest(name))
                .startsWith(name);
    }
}
