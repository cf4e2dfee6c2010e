package dev.blockscope;

import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A scope in the hands of the host. */
class ScopeEdgesTest {
    private final SharedLocals shared = new SharedLocals();
    private final Map<String, @Nullable Object> globals = map("g", "global", "all", "global");
    private Scope scope;

    @BeforeEach
    void fillEveryTier() {
        shared.put("s", "shared");
        shared.put("all", "shared");
        scope = new Scope(map("o", "own", "all", "own"), shared, Globals.of(globals));
    }

    private @Nullable Object asked(String text) {
        try (Context context = Context.create("js")) {
            context.getBindings("js").putMember("scope", scope);
            Value value = context.eval("js", text);
            return value.isNull() ? null : value.as(Object.class);
        }
    }

    @Test
    void takesWritesAsPutDoes() {
        asked("scope.x = 7");

        assertThat(scope.get("x")).isEqualTo(7);
        assertThat(shared.find("x")).contains(new Binding(7));
        assertThat(scope.assigned()).containsExactly("x");
    }
}
