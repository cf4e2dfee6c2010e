package dev.blockscope;

import dev.blockscope.truffle.GuestAccess;
import dev.blockscope.truffle.ParsedText;
import dev.blockscope.truffle.TextNames;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;

/**
 * JavaScript: the text is parsed as it is, with names as its parameters. What it declares at its
 * top level and those parameters are its bindings; every other name is asked of the global object,
 * which falls back to the scope.
 */
final class JavaScript implements Dialect {
    private static final String NO_NAME = "blockscope$none";

    private static final Pattern IDENTIFIER =
            Pattern.compile(
                    "[\\p{javaUnicodeIdentifierStart}$_][\\p{javaUnicodeIdentifierPart}$]*");

    private static final Set<String> RESERVED =
            Set.of(
                    "await",
                    "break",
                    "case",
                    "catch",
                    "class",
                    "const",
                    "continue",
                    "debugger",
                    "default",
                    "delete",
                    "do",
                    "else",
                    "enum",
                    "export",
                    "extends",
                    "false",
                    "finally",
                    "for",
                    "function",
                    "if",
                    "import",
                    "in",
                    "instanceof",
                    "new",
                    "null",
                    "return",
                    "super",
                    "switch",
                    "this",
                    "throw",
                    "true",
                    "try",
                    "typeof",
                    "var",
                    "void",
                    "while",
                    "with",
                    "let",
                    "static",
                    "yield",
                    "implements",
                    "interface",
                    "package",
                    "private",
                    "protected",
                    "public",
                    // Own, constant properties of every global object.
                    "undefined",
                    "NaN",
                    "Infinity");

    /** Words without which a text cannot get hold of the global object. */
    private static final Set<String> DOORS_TO_GLOBAL =
            Set.of("globalThis", "this", "eval", "Function", "constructor");

    /**
     * Puts a proxy behind the global object, so that a name it lacks is asked of the scope, and
     * moves the language's own names behind the proxy, so that the scope is asked of them as well.
     *
     * <p>Nothing of ours becomes an own property of the global object: that would slow down every
     * builtin. {@code sweep} moves what guest code defined there past the proxy into the scope, and
     * answers whether the realm can go on being used. {@code builtins} maps names to values.
     */
    private static final Source FALLBACK =
            Source.newBuilder(
                            BlockSource.JAVASCRIPT,
                            """
                            (function (find, put, absent) {
                              'use strict';
                              const { defineProperty, deleteProperty, get, getOwnPropertyDescriptor,
                                      getPrototypeOf, has, isExtensible, ownKeys, set,
                                      setPrototypeOf } = Reflect;
                              const global = globalThis;
                              const { Object, Proxy, Set } = global;

                              // Direct eval needs its own name, and the rest cannot move.
                              deleteProperty(global, 'arguments');
                              const builtins = Object.create(getPrototypeOf(global));
                              for (const key of ownKeys(global)) {
                                const property = getOwnPropertyDescriptor(global, key);
                                if (property.configurable && key !== 'eval' && key !== 'globalThis') {
                                  defineProperty(builtins, key, property);
                                  deleteProperty(global, key);
                                }
                              }

                              const proxy = new Proxy(builtins, {
                                has: (target, key) =>
                                  typeof key === 'string' && find(key) !== absent || has(target, key),
                                get: (target, key, receiver) => {
                                  if (typeof key === 'string') {
                                    const value = find(key);
                                    if (value !== absent) return value;
                                  }
                                  return get(target, key, receiver);
                                },
                                set: (target, key, value, receiver) => {
                                  if (typeof key !== 'string') return set(target, key, value, receiver);
                                  put(key, value);
                                  return true;
                                },
                              });
                              setPrototypeOf(global, proxy);

                              const isKnown = Set.prototype.has.bind(new Set(ownKeys(global)));
                              const sweep = () => {
                                const keys = ownKeys(global);
                                for (let i = 0; i < keys.length; i++) {
                                  const key = keys[i];
                                  if (isKnown(key)) continue;
                                  if (typeof key === 'string') put(key, global[key]);
                                  if (!deleteProperty(global, key)) return false;
                                }
                                return isExtensible(global)
                                  && (getPrototypeOf(global) === proxy || setPrototypeOf(global, proxy));
                              };
                              return { builtins, names: Object.getOwnPropertyNames(builtins), sweep };
                            })
                            """,
                            "blockscope-fallback.js")
                    .internal(true)
                    .buildLiteral();

    @Override
    public String id() {
        return BlockSource.JAVASCRIPT;
    }

    @Override
    public Map<String, String> options() {
        return Map.of("js.unhandled-rejections", "throw");
    }

    @Override
    public boolean canBeParameter(String name) {
        return IDENTIFIER.matcher(name).matches() && !RESERVED.contains(name);
    }

    @Override
    public Set<String> wordsOf(String text) {
        Set<String> words = new LinkedHashSet<>();
        IDENTIFIER.matcher(text).results().map(MatchResult::group).forEach(words::add);
        return words;
    }

    @Override
    public boolean hidesNames(String text) {
        return text.contains("\\u");
    }

    @Override
    public boolean mayTouchGlobal(Set<String> words) {
        return words.stream().anyMatch(DOORS_TO_GLOBAL::contains);
    }

    @Override
    public boolean tellsParameters(String text, Set<String> words) {
        return words.contains("delete") || words.contains("class") || text.contains("use strict");
    }

    /** With no parameter at all a text would be a plain script, whose {@code let} stays. */
    @Override
    public String noName() {
        return NO_NAME;
    }

    @Override
    public TextNames namesOf(GuestAccess guest, BlockSource source) throws Exception {
        return guest.namesOf(id(), source.file(), placed(source), NO_NAME);
    }

    @Override
    public Fallback install(
            Context context, GuestAccess guest, ProxyExecutable find, ProxyExecutable put) {
        Value absent = context.eval(id(), "Symbol('absent')");
        Value fallback = context.eval(FALLBACK).execute(find, put, absent);
        return new InContext(
                this, guest, absent, fallback.getMember("sweep"), builtinsOf(fallback));
    }

    private static Map<String, Value> builtinsOf(Value fallback) {
        Value values = fallback.getMember("builtins");
        Value names = fallback.getMember("names");
        Map<String, Value> builtins = new HashMap<>();
        for (long i = 0; i < names.getArraySize(); i++) {
            String name = names.getArrayElement(i).asString();
            builtins.put(name, values.getMember(name));
        }
        return builtins;
    }

    private record InContext(
            JavaScript dialect,
            GuestAccess guest,
            Value absent,
            Value sweeper,
            Map<String, Value> builtins)
            implements Fallback {
        @Override
        public boolean sweep() {
            return sweeper.execute().asBoolean();
        }

        @Override
        public ParsedText parse(
                BlockSource source, List<String> names, List<String> presets, boolean changingNames)
                throws Exception {
            return guest.parse(
                    dialect.id(),
                    source.file(),
                    dialect.placed(source),
                    names,
                    presets,
                    changingNames);
        }
    }
}
