package dev.blockscope;

import com.google.common.base.CharMatcher;
import dev.blockscope.script.ReservedWords;
import dev.blockscope.script.ScriptReader;
import dev.blockscope.truffle.GuestAccess;
import dev.blockscope.truffle.Intrinsics;
import dev.blockscope.truffle.ParsePlan;
import dev.blockscope.truffle.ParsedText;
import dev.blockscope.truffle.TextNames;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyDate;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.graalvm.polyglot.proxy.ProxyHashMap;
import org.graalvm.polyglot.proxy.ProxyInstant;
import org.graalvm.polyglot.proxy.ProxyIterable;
import org.graalvm.polyglot.proxy.ProxyIterator;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.graalvm.polyglot.proxy.ProxyTime;
import org.jspecify.annotations.Nullable;

/**
 * JavaScript: the text is parsed as it is, with names as its parameters. What it declares at its
 * top level and those parameters are its bindings; every other name is asked of the global object,
 * which falls back to the scope.
 */
final class JavaScript implements Dialect {
    private static final String NO_NAME = "blockscope$none";

    private static final Pattern PLACE_OF_SYNTAX_ERROR =
            Pattern.compile("^(\\w*Error: ).*?:\\d+:\\d+ ", Pattern.DOTALL);

    /**
     * What the parser says of a text that is read while a block runs: its name, line and column,
     * which counts from 0, then what is wrong; the line; and a caret.
     */
    private static final Pattern MISPARSE =
            Pattern.compile("^(SyntaxError: )(.+?):(\\d+):(\\d+) (.*)\\R(.*)\\R( *)\\^\\s*$");

    /** What the language says of a host value that cannot do what is asked of it. */
    private static final Pattern UNFIT =
            Pattern.compile(
                    "^TypeError: (?:invokeMember \\((.*)\\)|(execute)|instantiate) on (.+) failed due to: (?:Unknown identifier: .*|Message not supported\\.)$");

    private static final String CARRIER = CallbackException.class.getName();

    private static final Pattern CLASS = Pattern.compile("^class\\b");

    private static final Pattern TOO_LARGE =
            Pattern.compile(
                    "RangeError: (Invalid (string|array|typed array) length|Array buffer allocation failed|Maximum BigInt size exceeded)");

    // What GraalJS sets if it is told nothing else, and what Java's own integers can be.
    private static final long LONGEST_TEXT = 1_073_741_799;
    private static final long LONGEST_ARRAY = 4_294_967_295L;
    private static final long LARGEST_BUFFER = 2_147_483_639;
    private static final long MOST_BITS = Integer.MAX_VALUE;

    private static final Pattern DECLARATION_OF_MODULE =
            Pattern.compile("^\\s*(?:import\\s*(?:[\\w$*{]|['\"])|export\\b)");

    /** What a text has that declares names outside of its own braces. */
    private static final Pattern DECLARATION = Pattern.compile("\\b(?:var|function)\\b");

    /** A character of a name, by its number. */
    private static final Pattern ESCAPE =
            Pattern.compile("\\\\u(?:[0-9A-Fa-f]{4}|\\{0*[0-9A-Fa-f]{1,6}\\})");

    /** Words without which a text cannot get hold of the global object. */
    private static final Set<String> DOORS_TO_GLOBAL =
            Set.of("globalThis", "this", "eval", "Function", "constructor");

    /** Words without which a text cannot change an object unless it writes a property. */
    private static final Set<String> WAYS_TO_MUTATE =
            Set.of(
                    "FinalizationRegistry",
                    "Reflect",
                    "RegExp",
                    "__defineGetter__",
                    "__defineSetter__",
                    "__proto__",
                    "apply",
                    "assign",
                    "bind",
                    "call",
                    "defineProperties",
                    "defineProperty",
                    "delete",
                    "freeze",
                    "getOwnPropertyDescriptor",
                    "getOwnPropertyDescriptors",
                    "getPrototypeOf",
                    "match",
                    "matchAll",
                    "preventExtensions",
                    "prototype",
                    "seal",
                    "search",
                    "setPrototypeOf",
                    "with");

    /** What stands for a name that nobody binds. */
    private static final Source ABSENT =
            Source.newBuilder(BlockSource.JAVASCRIPT, "Symbol('absent')", "blockscope-absent.js")
                    .internal(true)
                    .buildLiteral();

    /** Puts the scope behind the global object. */
    private static final Source FALLBACK = GuestScripts.read("fallback.js");

    /** Has memory counted that is not of the heap. */
    private static final Source SHARED_MEMORY = GuestScripts.read("shared-memory.js");

    /** Of the class only, for what guest code holds must not hold the realm that it lives in. */
    private static final ProxyExecutable TAKES_MEMORY =
            given -> Run.underWay().takesBesideHeap(given[0].asDouble());

    /** Lists the language's own objects. */
    static final Source INTRINSICS = GuestScripts.read("intrinsics.js");

    /**
     * Usual types of the language that are what they show, so that no class is asked for its
     * parent.
     */
    private static final Set<String> PLAIN =
            Set.of("number", "Object", "Array", "Map", "Function", "Error");

    private static final List<String> CLOSED_TO_PROXIES =
            List.of("Map", "Set", "WeakMap", "WeakSet", "Date", "Promise", "RegExp");

    @Override
    public String id() {
        return BlockSource.JAVASCRIPT;
    }

    @Override
    public Map<String, String> options(Trust trust) {
        String opens = Boolean.toString(trust.opensTheHost());
        return Map.of(
                "js.unhandled-rejections",
                "throw",
                // How many lines an error keeps; of the usual ten, the block's own would be
                // missing.
                "js.stack-trace-limit",
                "2000",
                "js.load",
                opens,
                "js.graal-builtin",
                opens);
    }

    @Override
    public boolean canBeParameter(String name) {
        return !name.isEmpty()
                && endOfName(name, 0) == name.length()
                && !ReservedWords.ALL.contains(name)
                && !ReservedWords.CONSTANTS.contains(name);
    }

    @Override
    public Map<String, Integer> wordsOf(String text) {
        Map<String, Integer> words = new LinkedHashMap<>();
        addWords(text, words);
        if (hidesNames(text)) {
            // Any character of a name may be written as an escape.
            addWords(unescaped(text), words);
        }
        return words;
    }

    private static String unescaped(String text) {
        return ESCAPE.matcher(text)
                .replaceAll(escape -> {
                    String digits = CharMatcher.anyOf("\\u{}").removeFrom(escape.group());
                    int character = Integer.parseInt(digits, 16);
                    return Matcher.quoteReplacement(
                            Character.isValidCodePoint(character)
                                    ? Character.toString(character)
                                    : "\\");
                });
    }

    private static void addWords(String text, Map<String, Integer> words) {
        int at = 0;
        while (at < text.length()) {
            int end = endOfName(text, at);
            if (end > at) {
                words.putIfAbsent(text.substring(at, end), words.size());
                at = end;
            } else {
                at += Character.charCount(text.codePointAt(at));
            }
        }
    }

    /** Returns where the name that begins at a place ends: there, if none does. */
    private static int endOfName(String text, int start) {
        int end = start;
        while (end < text.length() && isPart(text.codePointAt(end), end == start)) {
            end += Character.charCount(text.codePointAt(end));
        }
        return end;
    }

    private static boolean isPart(int character, boolean first) {
        return character == '$'
                || (first
                        ? character == '_' || Character.isUnicodeIdentifierStart(character)
                        : Character.isUnicodeIdentifierPart(character));
    }

    @Override
    public String primer() {
        return "let x = [1]; y = x; o.p = -o[0]; o[0] = x; f(new F()); eval('')";
    }

    @Override
    public String caller() {
        return "f => f()";
    }

    @Override
    public boolean hidesNames(String text) {
        return text.contains("\\u");
    }

    /** Logical assignments look like reads, and so does what stands in a {@code with}. */
    @Override
    public boolean hidesAssignments(String text) {
        return text.contains("??=")
                || text.contains("&&=")
                || text.contains("||=")
                || text.contains("with");
    }

    @Override
    public boolean mayTouchGlobal(Set<String> words) {
        return !Collections.disjoint(words, DOORS_TO_GLOBAL);
    }

    @Override
    public boolean mayMutate(Set<String> words) {
        return !Collections.disjoint(words, WAYS_TO_MUTATE);
    }

    @Override
    public boolean tellsParameters(String text, Set<String> words) {
        return words.contains("delete") || words.contains("class") || text.contains("use strict");
    }

    @Override
    public boolean endsByItself(String text, Set<String> words) {
        return StraightText.is(text, words);
    }

    @Override
    public boolean isQuick(String builtin) {
        return QuickCalls.BUILTINS.contains(builtin);
    }

    @Override
    public boolean sharesPrograms() {
        return true;
    }

    /** With no parameter at all a text would be a plain script, whose {@code let} stays. */
    @Override
    public String noName() {
        return NO_NAME;
    }

    @Override
    public @Nullable TextNames plainNamesOf(String text) {
        return ScriptReader.namesOf(text);
    }

    @Override
    public TextNames namesOf(GuestAccess guest, BlockSource source) throws Exception {
        String text = placed(source);
        if (!TopLevelAwait.isIn(text)) {
            return guest.namesOf(id(), source.file(), text, NO_NAME);
        }
        TextNames ofScript;
        try {
            ofScript = guest.namesOf(id(), source.file(), text, NO_NAME);
            if (!ofScript.is(TopLevelAwait.WORD, TextNames.Use.READ)) {
                return ofScript;
            }
        } catch (Exception e) {
            TextNames names = namesOfAwaiting(guest, source, text);
            if (names == null) {
                throw e;
            }
            return names;
        }
        try {
            TextNames names = namesOfAwaiting(guest, source, text);
            return names == null ? ofScript : names;
        } catch (Exception e) {
            // Then it is a name like any other.
            return ofScript;
        }
    }

    /**
     * Lists the names of a text that is no script as it is, for in it the top level waits. Returns
     * null if it is wrong to wait where it does.
     *
     * @throws Exception the language's own error if something else is wrong
     */
    private static @Nullable TextNames namesOfAwaiting(
            GuestAccess guest, BlockSource source, String text) throws Exception {
        String file = source.file();
        String language = source.language();
        TextNames names =
                guest.namesOf(language, file, TopLevelAwait.hidden(text), NO_NAME).awaiting();
        try {
            guest.parse(language, file, text, ParsePlan.of(NO_NAME, true));
            return names;
        } catch (Exception e) {
            return null;
        }
    }

    /** A class of the user's own is what it extends, also one named like a builtin. */
    @Override
    public Kind kindOf(Value value, Function<String, @Nullable Value> builtins) {
        Value type = value.getMetaObject();
        if (type == null) {
            Value iterator = builtins.apply("Iterator");
            return iterator != null && iterator.isMetaInstance(value) ? Kind.TEXT : Kind.PLAIN;
        }
        while (type != null && type.isMetaObject()) {
            String name = type.getMetaSimpleName();
            if (PLAIN.contains(name)) {
                return Kind.PLAIN;
            }
            Kind kind = kindOf(name);
            if (kind == Kind.PROXY && hidesContents(value, builtins)) {
                return Kind.TEXT;
            }
            if (kind != Kind.PLAIN && isBuiltin(type, name, builtins)) {
                return kind;
            }
            type = type.canInstantiate() ? type.getMember("__proto__") : null;
        }
        return Kind.PLAIN;
    }

    /** Whether what a proxy stands for has its contents where no proxy reaches them. */
    private static boolean hidesContents(Value proxy, Function<String, @Nullable Value> builtins) {
        Value object = builtins.apply("Object");
        Value prototype = object == null ? null : object.invokeMember("getPrototypeOf", proxy);
        for (String name : CLOSED_TO_PROXIES) {
            Value builtin = builtins.apply(name);
            if (prototype != null
                    && builtin != null
                    && (prototype.equals(builtin.getMember("prototype"))
                            || builtin.isMetaInstance(prototype))) {
                return true;
            }
        }
        return false;
    }

    /** Whether a type is not a class of the user's. */
    private static boolean isBuiltin(
            Value type, String name, Function<String, @Nullable Value> builtins) {
        Value builtin = type.canInstantiate() ? builtins.apply(name) : null;
        return builtin == null || builtin.equals(type);
    }

    private static Kind kindOf(String type) {
        return switch (type) {
            case "bigint" -> Kind.BIG_INTEGER;
            case "Uint8Array", "Uint8ClampedArray", "Int8Array" -> Kind.BYTES;
            case "Int16Array", "Uint16Array", "Int32Array" -> Kind.INTS;
            case "Uint32Array", "BigInt64Array" -> Kind.LONGS;
            case "Float16Array", "Float32Array" -> Kind.FLOATS;
            case "Float64Array" -> Kind.DOUBLES;
            case "DataView" -> Kind.BYTE_VIEW;
            case "Set" -> Kind.SET;
            case "symbol", "RegExp", "Iterator" -> Kind.TEXT;
            case "WeakMap", "WeakSet", "WeakRef", "FinalizationRegistry" -> Kind.TEXT;
            case "BigInt", "Symbol" -> Kind.BOXED;
            case "Date" -> Kind.NO_DATE;
            case "Promise" -> Kind.PROMISE;
            case "Proxy" -> Kind.PROXY;
            default -> Kind.PLAIN;
        };
    }

    @Override
    public boolean isOverflow(String message) {
        return message.equals("RangeError: Maximum call stack size exceeded");
    }

    @Override
    public boolean isTooLarge(String message) {
        return TOO_LARGE.matcher(message).lookingAt();
    }

    @Override
    public long largest(String message) {
        Matcher said = TOO_LARGE.matcher(message);
        return switch (said.lookingAt() ? said.group(1) : "") {
            case "Invalid string length" -> LONGEST_TEXT;
            case "Invalid array length" -> LONGEST_ARRAY;
            case "Invalid typed array length", "Array buffer allocation failed" -> LARGEST_BUFFER;
            case "Maximum BigInt size exceeded" -> MOST_BITS;
            default -> 0;
        };
    }

    @Override
    public String syntaxMessage(String message, String line) {
        if (DECLARATION_OF_MODULE.matcher(line).find()) {
            return "SyntaxError: a block is no module and has no import and export declarations; write const { name } = await import('./module.js')";
        }
        return PLACE_OF_SYNTAX_ERROR.matcher(message).replaceFirst("$1");
    }

    @Override
    public String runMessage(String message) {
        Matcher misparse = MISPARSE.matcher(message);
        if (misparse.matches()) {
            return misparse.group(1) + misparse.group(5);
        }
        Matcher unfit = UNFIT.matcher(message);
        if (!unfit.matches()) {
            return message;
        }
        String host = unfit.group(3).replace(CARRIER, "a caught exception");
        if (unfit.group(1) != null) {
            return "TypeError: %s is not a function of %s".formatted(unfit.group(1), host);
        }
        return "TypeError: %s is not a %s"
                .formatted(host, unfit.group(2) == null ? "constructor" : "function");
    }

    @Override
    public @Nullable Misparse misparseIn(String message) {
        Matcher found = MISPARSE.matcher(message);
        return found.matches()
                ? new Misparse(
                        found.group(2),
                        Integer.parseInt(found.group(3)),
                        Integer.parseInt(found.group(4)) + 1,
                        found.group(6))
                : null;
    }

    /** A class without a constructor has one all the same, which stands where the class does. */
    @Override
    public boolean isUnwritten(String function, CharSequence text) {
        return !function.startsWith(":") && CLASS.matcher(text).lookingAt();
    }

    @Override
    public String causeMember() {
        return "cause";
    }

    @Override
    public String errorsMember() {
        return "errors";
    }

    @Override
    public boolean isError(Value thrown, Function<String, @Nullable Value> builtins) {
        Value error = builtins.apply("Error");
        return error != null && error.isMetaInstance(thrown);
    }

    @Override
    public boolean tellsGetters() {
        return true;
    }

    @Override
    public boolean runsCodeIfRead(Value value) {
        return Guest.typeName(value).equals("Proxy");
    }

    /** The names that the language gives to what {@code eval} and {@code Function} parse. */
    @Override
    public boolean isMade(String source) {
        return source.equals("<eval>") || source.equals("<function>");
    }

    @Override
    public Fallback install(Context context, GuestAccess guest, Names names) {
        context.eval(SHARED_MEMORY).executeVoid(TAKES_MEMORY);
        context.eval(CallbackException.NAMES).executeVoid(CallbackException.arguments());
        Value said = context.eval(GuestConsole.SOURCE).execute(GuestConsole.arguments());
        Value global = context.getBindings(id());
        GuestPromises promises = GuestPromises.in(context);
        for (Value own : List.of(said, promises.globals())) {
            own.getMemberKeys().forEach(name -> global.putMember(name, own.getMember(name)));
        }
        Value absent = context.eval(ABSENT);
        Value fallback =
                context.eval(FALLBACK)
                        .execute(
                                names.find(),
                                names.put(),
                                names.remove(),
                                names.declares(),
                                names.holds(),
                                absent);
        Intrinsics intrinsics = new Intrinsics();
        Value restsAsNew =
                context.eval(INTRINSICS)
                        .execute(
                                fallback.getMember("builtins"),
                                context.asValue(intrinsics),
                                oneOfEachOfTheHost());
        return new InContext(
                this,
                guest,
                absent,
                fallback.getMember("builtin"),
                fallback.getMember("same"),
                fallback.getMember("sweep"),
                fallback.getMember("lend"),
                intrinsics,
                restsAsNew,
                promises);
    }

    /**
     * Returns a value of the host of each kind that has a prototype of its own. They are made anew:
     * an exception holds the classes that were on the stack, those of an application included.
     */
    private static ProxyArray oneOfEachOfTheHost() {
        return ProxyArray.fromArray(
                ProxyObject.fromMap(Map.of()),
                ProxyArray.fromArray(),
                (ProxyExecutable) given -> null,
                (ProxyIterable) Collections::emptyIterator,
                ProxyIterator.from(Collections.emptyIterator()),
                ProxyHashMap.from(Map.of()),
                ProxyInstant.from(Instant.EPOCH),
                ProxyDate.from(LocalDate.EPOCH),
                ProxyTime.from(LocalTime.MIDNIGHT),
                new CallbackException(new IllegalStateException("none")),
                Object.class,
                ByteBuffer.allocate(0));
    }

    private record InContext(
            JavaScript dialect,
            GuestAccess guest,
            Value absent,
            Value builtins,
            Value same,
            Value sweeper,
            Value lender,
            Intrinsics intrinsics,
            Value restsAsNew,
            GuestPromises promises)
            implements Fallback {
        @Override
        public Value builtin(String name) {
            return builtins.execute(name);
        }

        @Override
        public Value imported(@Nullable Object value) {
            return same.execute(value);
        }

        @Override
        public boolean sweep(boolean over) {
            return sweeper.execute(over).asBoolean();
        }

        @Override
        public boolean isAsNew() {
            return restsAsNew.execute().asBoolean() && intrinsics.areUnmarked();
        }

        @Override
        public void lendTo(String text) {
            if (DECLARATION.matcher(text).find()) {
                lender.execute(ProxyArray.fromArray(dialect.wordsOf(text).keySet().toArray()));
            }
        }

        @Override
        public ParsedText parse(BlockSource source, ParsePlan plan) throws Exception {
            return guest.parse(dialect.id(), source.file(), dialect.placed(source), plan);
        }
    }
}
