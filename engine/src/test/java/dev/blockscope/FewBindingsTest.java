package dev.blockscope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import net.jqwik.api.constraints.WithNull;
import org.jspecify.annotations.Nullable;

/** A few bindings are to whoever looks what an ordered map of the same is. */
class FewBindingsTest {
    @Property
    void areAMapLikeAnyOther(
            @ForAll @Size(max = FewBindings.MOST)
                    List<@AlphaChars @StringLength(max = 2) String> names,
            @ForAll @Size(FewBindings.MOST) List<@WithNull Integer> values,
            @ForAll @AlphaChars @StringLength(max = 2) String asked) {
        Map<String, @Nullable Object> expected = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            expected.put(names.get(i), values.get(i));
        }
        Map<String, @Nullable Object> few =
                new FewBindings(
                        expected.keySet().toArray(String[]::new), expected.values().toArray());

        assertThat(few).isEqualTo(expected).hasSameHashCodeAs(expected).hasToString(expected + "");
        assertThat(expected).isEqualTo(few);
        assertThat(few.size()).isEqualTo(expected.size());
        assertThat(new ArrayList<>(few.keySet())).isEqualTo(new ArrayList<>(expected.keySet()));
        assertThat(new ArrayList<>(few.values())).isEqualTo(new ArrayList<>(expected.values()));
        assertThat(few.get(asked)).isEqualTo(expected.get(asked));
        assertThat(few.containsKey(asked)).isEqualTo(expected.containsKey(asked));
        assertThat(few.keySet().contains(asked)).isEqualTo(expected.containsKey(asked));
        List<String> seen = new ArrayList<>();
        few.forEach((name, value) -> seen.add(name + value));
        List<String> given = new ArrayList<>();
        expected.forEach((name, value) -> given.add(name + value));
        assertThat(seen).isEqualTo(given);
    }

    @Property(tries = 1)
    void neverChange() {
        Map<String, @Nullable Object> few =
                new FewBindings(new String[] {"a", "b"}, new Object[] {1, null});

        assertThatThrownBy(() -> few.put("a", 2)).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> few.remove("a")).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(few::clear).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> few.entrySet().iterator().next().setValue(3))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> few.keySet().removeIf(name -> true))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> few.replaceAll((name, value) -> 0))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThat(few).containsEntry("a", 1).containsEntry("b", null);
    }
}
