package dev.blockscope.jsr223;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import javax.script.Bindings;
import org.junit.jupiter.api.Test;

/** What {@link Bindings} specifies. */
final class SharedBindingsTest {
    private final Bindings bindings = new SharedBindings();

    @Test
    void keysAreTextThatIsNotEmpty() {
        assertThatThrownBy(() -> bindings.put(null, 1)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> bindings.put("", 1)).isInstanceOf(IllegalArgumentException.class);
        for (Object key : new Object[] {null, "", 1}) {
            Class<? extends Throwable> refusal =
                    key == null
                            ? NullPointerException.class
                            : key.equals("")
                                    ? IllegalArgumentException.class
                                    : ClassCastException.class;
            assertThatThrownBy(() -> bindings.get(key)).isInstanceOf(refusal);
            assertThatThrownBy(() -> bindings.containsKey(key)).isInstanceOf(refusal);
            assertThatThrownBy(() -> bindings.remove(key)).isInstanceOf(refusal);
        }
        Map<String, Object> merged = new HashMap<>();
        merged.put("", 1);
        assertThatThrownBy(() -> bindings.putAll(merged))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> bindings.putAll(null)).isInstanceOf(NullPointerException.class);
    }

    @Test
    void nullIsAValue() {
        assertThat(bindings.put("x", null)).isNull();
        assertThat(bindings).containsEntry("x", null).hasSize(1);
        assertThat(bindings.put("x", 1)).isNull();
        assertThat(bindings.remove("x")).isEqualTo(1);
        assertThat(bindings).isEmpty();
    }

    @Test
    void itIsAMapLikeAnyOther() {
        bindings.putAll(Map.of("b", 2, "a", 1));
        assertThat(bindings).isEqualTo(Map.of("a", 1, "b", 2)).hasToString("{a=1, b=2}");
        bindings.replaceAll((name, value) -> name + value);
        bindings.keySet().remove("a");
        assertThat(bindings).isEqualTo(Map.of("b", "b2"));
        bindings.values().clear();
        assertThat(bindings).isEmpty();
    }

    @Test
    void itMayBeWrittenWhileSomebodyWalksThroughIt() {
        bindings.putAll(Map.of("a", 1, "b", 2));
        bindings.keySet().forEach(name -> bindings.put("z" + name.length(), 3));
        assertThat(bindings).containsKey("z1");
    }
}
