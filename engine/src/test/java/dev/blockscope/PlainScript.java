package dev.blockscope;

import static java.util.stream.Collectors.joining;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.PolyglotException.StackFrame;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.SourceSection;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.jspecify.annotations.Nullable;

/**
 * Runs a text as the language means it: as a script of its own in a fresh context, with nothing of
 * ours around it.
 */
final class PlainScript {
    private static final Dialect JAVASCRIPT = new JavaScript();

    private static final Pattern PLACE_OF_SYNTAX_ERROR =
            Pattern.compile("^(\\w*Error: ).*?:\\d+:\\d+ ", Pattern.DOTALL);

    /** What the language says of a text that a script has parsed: the place, the line, a caret. */
    private static final Pattern MISPARSE =
            Pattern.compile("^(SyntaxError: )(.+?):(\\d+):(\\d+) (.*)\\R.*\\R *\\^\\s*$");

    /**
     * Remembers the globals; called with words it tells which of them, and which properties of the
     * global object, are bound by now: first the global ones, then the lexical ones.
     */
    private static final Source PROBE =
            Source.newBuilder(
                            "js",
                            """
                            (function () {
                              const { ownKeys, has } = Reflect, { is, create } = Object;
                              // The shell's own, which no other host of the language has.
                              delete globalThis.arguments;
                              const evaluate = eval, global = globalThis, before = create(null);
                              const remember = () => {
                                for (const key of ownKeys(global)) before[key] = global[key];
                              };
                              remember();
                              const push = (list, element) => { list[list.length] = element };
                              const bound = words => {
                                const names = create(null);
                                for (const key of ownKeys(global)) {
                                  if (typeof key === 'string'
                                      && !(key in before && is(before[key], global[key]))) {
                                    names[key] = true;
                                  }
                                }
                                for (let i = 0; i < words.length; i++) {
                                  const word = words[i];
                                  let value;
                                  try { value = evaluate(word) } catch { continue }
                                  if (!has(global, word) || !is(global[word], value)) names[word] = true;
                                }
                                const result = [];
                                for (const name of ownKeys(names)) {
                                  let value;
                                  try { value = evaluate(name) } catch { value = global[name] }
                                  push(result, [name, value]);
                                }
                                return result;
                              };
                              return { remember, bound };
                            })()
                            """,
                            "probe.js")
                    .internal(true)
                    .buildLiteral();

    private final Engine engine;

    PlainScript(Engine engine) {
        this.engine = engine;
    }

    /**
     * Runs a text and returns what it came to.
     *
     * @param names names that the global object has before the text runs, with their values
     */
    Outcome run(String text, String file, Map<String, Object> names) {
        try (Context context = Context.newBuilder("js").engine(engine).build()) {
            Value probe = context.eval(PROBE);
            names.forEach((name, value) -> context.getBindings("js").putMember(name, value));
            probe.invokeMember("remember");
            String value = "";
            String error = "";
            List<Outcome.Place> places = List.of();
            try {
                value =
                        PlainText.of(
                                context.eval(Source.newBuilder("js", text, file).buildLiteral()));
            } catch (PolyglotException e) {
                error = messageOf(e);
                places = placesOf(e);
            }
            return boundBy(text, probe, value, error, places);
        }
    }

    private static Outcome boundBy(
            String text, Value probe, String value, String error, List<Outcome.Place> places) {
        SortedMap<String, String> bindings = new TreeMap<>();
        Set<String> undefined = new LinkedHashSet<>();
        Object[] words =
                JAVASCRIPT.wordsOf(text).keySet().stream()
                        .filter(JAVASCRIPT::canBeParameter)
                        .toArray();
        Value bound = probe.invokeMember("bound", (Object) ProxyArray.fromArray(words));
        for (long i = 0; i < bound.getArraySize(); i++) {
            String name = bound.getArrayElement(i).getArrayElement(0).asString();
            Value now = bound.getArrayElement(i).getArrayElement(1);
            if (isUndefined(now)) {
                undefined.add(name);
            } else {
                bindings.put(name, PlainText.of(now));
            }
        }
        return new Outcome(value, error, places, bindings, undefined);
    }

    /** Whether the text itself does not parse, as opposed to one that it evaluates. */
    private static boolean isRefused(PolyglotException e) {
        if (!e.isSyntaxError()) {
            return false;
        }
        for (StackFrame frame : e.getPolyglotStackTrace()) {
            if (frame.isGuestFrame() && ":program".equals(frame.getRootName())) {
                return false;
            }
        }
        return true;
    }

    private static String messageOf(PolyglotException e) {
        if (!isRefused(e)) {
            Value thrown = e.isGuestException() ? e.getGuestObject() : null;
            // Of an object that is no error the language tells the class, and a block what it is.
            return thrown != null && tellsClassOnly(e.getMessage(), thrown)
                    ? asWritten(thrown)
                    : MISPARSE.matcher(String.valueOf(e.getMessage())).replaceFirst("$1$5");
        }
        // The language adds the place and the line to its message; both are in the place.
        String firstLine = e.getMessage().lines().findFirst().orElse("");
        return PLACE_OF_SYNTAX_ERROR.matcher(firstLine).replaceFirst("$1");
    }

    private static boolean tellsClassOnly(String message, Value thrown) {
        if (!thrown.hasMembers() || thrown.isString() || thrown.canExecute()) {
            return false;
        }
        Value isError = thrown.getContext().eval("js", "it => it instanceof Error");
        return (message.equals("Error") || message.equals(Guest.typeName(thrown)))
                && !isError.execute(thrown).asBoolean();
    }

    private static String asWritten(Value value) {
        if (value.hasArrayElements()) {
            return LongStream.range(0, value.getArraySize())
                    .mapToObj(i -> asWritten(value.getArrayElement(i)))
                    .collect(joining(", ", "[", "]"));
        }
        return value.hasMembers() && !value.isString()
                ? value.getMemberKeys().stream()
                        .map(key -> key + ": " + asWritten(value.getMember(key)))
                        .collect(joining(", ", "{", "}"))
                : value.toString();
    }

    private static List<Outcome.Place> placesOf(PolyglotException e) {
        List<Outcome.Place> places = new ArrayList<>();
        if (isRefused(e)) {
            if (e.getSourceLocation() != null) {
                places.add(place("", e.getSourceLocation()));
            }
            return places;
        }
        Matcher misparse = MISPARSE.matcher(String.valueOf(e.getMessage()));
        if (misparse.matches()) {
            // Its columns count from 0.
            places.add(
                    new Outcome.Place(
                            misparse.group(2),
                            Integer.parseInt(misparse.group(3)),
                            Integer.parseInt(misparse.group(4)) + 1,
                            ""));
        }
        for (StackFrame frame : e.getPolyglotStackTrace()) {
            SourceSection section = frame.getSourceLocation();
            if (frame.isGuestFrame()
                    && section != null
                    && !section.getSource().isInternal()
                    && !isUnwritten(frame.getRootName(), section)) {
                places.add(place(frame.getRootName(), section));
            }
        }
        return places;
    }

    /** Whether a frame is of a constructor that the script has not written: it is at its class. */
    private static boolean isUnwritten(@Nullable String root, SourceSection section) {
        return root != null
                && !root.startsWith(":")
                && section.getCharacters().toString().matches("(?s)class\\b.*");
    }

    private static Outcome.Place place(@Nullable String root, SourceSection section) {
        return new Outcome.Place(
                section.getSource().getName(),
                section.getStartLine(),
                section.getStartColumn(),
                root == null || root.startsWith(":") ? "" : root);
    }

    /** Whether a value is the language's "no value yet", as opposed to its null. */
    private static boolean isUndefined(Value value) {
        return value == null || (value.isNull() && value.toString().equals("undefined"));
    }
}
