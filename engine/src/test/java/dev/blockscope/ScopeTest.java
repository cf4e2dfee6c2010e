package dev.blockscope;

import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A scope in the hands of the host. */
class ScopeTest {
    private final SharedLocals shared = new SharedLocals();
    private final Map<String, @Nullable Object> globals = map("g", "global", "all", "global");
    private Scope scope;

    @BeforeEach
    void fillEveryTier() {
        shared.put("s", "shared");
        shared.put("all", "shared");
        scope = new Scope(map("o", "own", "all", "own"), shared, Globals.of(globals));
    }

    @Nested
    class Lookup {
        @ParameterizedTest
        @CsvSource({"o, own", "s, shared", "g, global", "all, own"})
        void goesFromOwnOverSharedToGlobals(String name, String expected) {
            assertThat(scope.get(name)).isEqualTo(expected);
            assertThat(scope.find(name)).contains(new Binding(expected));
            assertThat(scope.containsKey(name)).isTrue();
        }

        @Test
        void ofAnAbsentNameThrowsAndSaysWhatThereIs() {
            assertThatExceptionOfType(NoSuchElementException.class)
                    .isThrownBy(() -> scope.get("absent"))
                    .withMessageContaining("\"absent\"")
                    .withMessageContaining("o");
        }

        @Test
        void ofAnAbsentNameFindsNothing() {
            assertThat(scope.find("absent")).isEmpty();
            assertThat(scope.containsKey("absent")).isFalse();
        }

        @Test
        void findsNullAsAValueInEveryTier() {
            shared.put("sharedNull", (Object) null);
            Scope nulls =
                    new Scope(map("ownNull", null), shared, Globals.of(map("globalNull", null)));

            for (String name : List.of("ownNull", "sharedNull", "globalNull")) {
                assertThat(nulls.get(name)).isNull();
                assertThat(nulls.find(name)).contains(new Binding(null));
                assertThat(nulls.containsKey(name)).isTrue();
            }
        }

        @Test
        void stopsAtNullInAnInnerTier() {
            Scope nulls = new Scope(map("all", null), shared, Globals.of(globals));

            assertThat(nulls.get("all")).isNull();
        }

        @Test
        void asksTheGlobalsOnceAndOnlyIfNoInnerTierKnows() {
            AtomicInteger asked = new AtomicInteger();
            Globals counting =
                    name -> {
                        asked.incrementAndGet();
                        return Optional.empty();
                    };
            Scope counted = new Scope(map("o", 1), shared, counting);

            counted.find("o");
            counted.find("s");
            assertThat(asked).hasValue(0);

            counted.find("absent");
            assertThat(asked).hasValue(1);
        }

        @Test
        void seesSharedNamesThatCameLater() {
            shared.put("late", 1);

            assertThat(scope.get("late")).isEqualTo(1);
        }

        @Test
        void seesGlobalsThatCameLater() {
            globals.put("late", 1);

            assertThat(scope.get("late")).isEqualTo(1);
        }
    }

    @Nested
    class Put {
        @Test
        void bindsInOwnAndInShared() {
            scope.put("x", 1);

            assertThat(scope.get("x")).isEqualTo(1);
            assertThat(shared.find("x")).contains(new Binding(1));
            assertThat(scope).containsExactly("o", "all", "x");
        }

        @Test
        void neverReachesTheGlobals() {
            scope.put("g", 1);

            assertThat(scope.get("g")).isEqualTo(1);
            assertThat(globals).containsEntry("g", "global");
        }

        @Test
        void bindsNull() {
            scope.put("x", null);

            assertThat(scope.get("x")).isNull();
            assertThat(scope.containsKey("x")).isTrue();
            assertThat(shared.find("x")).contains(new Binding(null));
        }

        @Test
        void isSeenByAScopeThatSharesTheStore() {
            Scope sibling = new Scope(map(), shared, Globals.none());

            scope.put("x", 1);

            assertThat(sibling.get("x")).isEqualTo(1);
            assertThat(sibling.size()).isZero();
        }

        @Test
        void doesNotReplaceTheOwnNameOfASibling() {
            Scope sibling = new Scope(map("x", "mine"), shared, Globals.none());

            scope.put("x", 1);

            assertThat(sibling.get("x")).isEqualTo("mine");
        }

        @Test
        void needsAName() {
            assertThatNullPointerException().isThrownBy(() -> scope.put(null, 1));
        }

        @Test
        void isWhatAssignedTells() {
            assertThat(scope.assigned()).isEmpty();

            scope.put("b", 1);
            scope.put("a", 2);
            scope.put("b", 3);

            assertThat(scope.assigned()).containsExactly("b", "a");
        }
    }

    @Nested
    class OwnNames {
        @Test
        void areWhatIterationAndSizeShow() {
            assertThat(scope).containsExactly("o", "all");
            assertThat(scope.size()).isEqualTo(2);
        }

        @Test
        void mayBeIteratedWhileNamesAreBound() {
            List<String> seen = new ArrayList<>();
            for (String name : scope) {
                seen.add(name);
                scope.put(name + "2", 1);
            }

            assertThat(seen).containsExactly("o", "all");
        }

        @Test
        void areACopyOfTheMapTheScopeWasMadeOf() {
            Map<String, Object> own = map("x", 1);
            Scope copied = new Scope(own, shared, Globals.none());

            own.put("x", 2);
            own.put("y", 3);

            assertThat(copied.get("x")).isEqualTo(1);
            assertThat(copied.containsKey("y")).isFalse();
        }

        @Test
        void areNotCopiedDeeply() {
            List<Object> list = new ArrayList<>();

            assertThat(new Scope(map("x", list), shared, Globals.none()).get("x")).isSameAs(list);
        }

        @Test
        void areNotSharedByMakingAScope() {
            assertThat(shared.names()).containsExactlyInAnyOrder("s", "all");
            assertThat(scope.assigned()).isEmpty();
        }
    }

    @Nested
    class Copy {
        @Test
        void hasTheSameNamesStoreAndGlobals() {
            Scope copy = scope.copy();

            assertThat(copy).containsExactly("o", "all");
            assertThat(copy.get("all")).isEqualTo("own");
            assertThat(copy.shared()).isSameAs(shared);
            assertThat(copy.globals()).isSameAs(scope.globals());
        }

        @Test
        void writesNothingToShared() {
            scope.copy();

            assertThat(shared.names()).containsExactlyInAnyOrder("s", "all");
        }

        @Test
        void goesItsOwnWay() {
            Scope copy = scope.copy();

            copy.put("o", "changed");
            copy.put("new", 1);

            assertThat(scope.get("o")).isEqualTo("own");
            assertThat(scope).containsExactly("o", "all");
            assertThat(scope.get("new")).as("through shared").isEqualTo(1);
        }

        @Test
        void keepsNull() {
            Scope copy = new Scope(map("x", null), shared, Globals.none()).copy();

            assertThat(copy.find("x")).contains(new Binding(null));
        }
    }

    @Nested
    class Text {
        @Test
        void showsEachNameWithItsTier() {
            assertThat(scope.toString())
                    .contains("o=own")
                    .contains("all=own")
                    .contains("s=shared")
                    .contains("g=global")
                    .doesNotContain("all=shared")
                    .doesNotContain("all=global");
        }

        @Test
        void showsNoGlobalsThatCannotBeListed() {
            Scope asking =
                    new Scope(map("o", 1), shared, name -> Optional.of(new Binding(name.length())));

            assertThat(asking).hasToString("Scope{o=own, s=shared, all=shared}");
        }

        @Test
        void showsANameOnceItIsBoundAndNoMoreWhenItIsRemoved() {
            scope.put("x", 1);
            scope.removeMember("o");

            assertThat(scope.toString()).contains("x=own").doesNotContain("o=own");
        }
    }

    /** Any guest language can hold a scope: here a plain context does. */
    @Nested
    class AsAProxyObject {
        private @Nullable Object asked(String text) {
            try (Context context = Context.create("js")) {
                context.getBindings("js").putMember("scope", scope);
                Value value = context.eval("js", text);
                return value.isNull()
                        ? null
                        : value.isString() ? value.asString() : value.as(Object.class);
            }
        }

        @ParameterizedTest
        @CsvSource({"o, own", "s, shared", "g, global", "all, own"})
        void answersForAllTiers(String name, String expected) {
            assertThat(scope.hasMember(name)).isTrue();
            assertThat(scope.getMember(name)).isEqualTo(expected);
            assertThat(asked("scope." + name)).isEqualTo(expected);
        }

        @Test
        void listsOwnNames() {
            assertThat(asked("Object.keys(scope).join()")).isEqualTo("o,all");
        }

        @Test
        void takesWritesAsPutDoes() {
            asked("scope.x = 7");

            assertThat(scope.get("x")).isEqualTo(7);
            assertThat(shared.find("x")).contains(new Binding(7));
            assertThat(scope.assigned()).containsExactly("x");
        }

        @Test
        void takesWrittenDataAsPlainJavaThatOutlivesTheWriter() {
            asked("scope.x = { a: [1, { b: null }], when: new Date(0), big: 2n ** 64n }");

            assertThat(scope.get("x"))
                    .isEqualTo(
                            map(
                                    "a",
                                    List.of(1, map("b", null)),
                                    "when",
                                    Instant.EPOCH,
                                    "big",
                                    BigInteger.TWO.pow(64)));
        }

        @Test
        void takesAFunctionAsWhatItIsToItsContext() {
            try (Context context = Context.create("js")) {
                context.getBindings("js").putMember("scope", scope);
                context.eval("js", "scope.twice = n => 2 * n");

                assertThat(scope.get("twice")).isInstanceOf(Function.class);
                assertThat(context.eval("js", "scope.twice(21)").asInt()).isEqualTo(42);
            }
        }

        @Test
        void letsDataOfTheHostBeReadAndWritten() {
            Map<String, Object> row = map("id", 7);
            scope.put("row", row);

            assertThat(asked("scope.row.id = scope.row.id + 1; 'id' in scope.row")).isEqualTo(true);
            assertThat(row).isEqualTo(map("id", 8));
        }

        @Test
        void canBeHeldByTwoContextsAtOnce() {
            try (Context one = Context.create("js");
                    Context other = Context.create("js")) {
                one.getBindings("js").putMember("scope", scope);
                other.getBindings("js").putMember("scope", scope);
                one.eval("js", "scope.x = { a: [1] }");

                assertThat(other.eval("js", "scope.x.a[0] + scope.x.a.length").asInt())
                        .isEqualTo(2);
            }
        }

        @Test
        void forgetsANameThatIsDeleted() {
            asked("scope.x = 1; delete scope.x; delete scope.o");

            assertThat(scope).containsExactly("all");
            assertThat(scope.find("x")).isEmpty();
            assertThat(scope.find("o")).isEmpty();
        }

        @Test
        void isEnumeratedByItsOwnNamesOnly() {
            assertThat(asked("{ let s = []; for (const k in scope) s.push(k); s.join() }"))
                    .isEqualTo("o,all");
        }

        @Test
        void hasNoAbsentName() {
            assertThat(scope.hasMember("absent")).isFalse();
            assertThat(asked("typeof scope.absent")).isEqualTo("undefined");
        }

        @Test
        void hasNull() {
            scope.put("x", null);

            assertThat(scope.hasMember("x")).isTrue();
            assertThat(scope.getMember("x")).isNull();
        }

        @Test
        void removesAName() {
            scope.put("x", 1);

            assertThat(scope.removeMember("x")).isTrue();

            assertThat(scope.containsKey("x")).isFalse();
            assertThat(scope.assigned()).isEmpty();
        }
    }

    @Test
    void needsItsTiers() {
        assertThatNullPointerException().isThrownBy(() -> new Scope(null, shared, Globals.none()));
        assertThatNullPointerException().isThrownBy(() -> new Scope(map(), null, Globals.none()));
        assertThatNullPointerException().isThrownBy(() -> new Scope(map(), shared, null));
    }
}
