package dev.blockscope;

import dev.blockscope.truffle.GuestAccess;
import dev.blockscope.truffle.NamespaceText;
import dev.blockscope.truffle.ParsePlan;
import dev.blockscope.truffle.ParsedText;
import dev.blockscope.truffle.TextNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyArray;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/**
 * Python: a text runs as a module does, over a namespace of its own for each run. The namespace
 * starts with the snapshot, takes what the text binds, and asks the scope for any other name.
 */
final class Python implements Dialect {
    private static final String NO_NAME = "__blockscope_none__";
    private static final Pattern WORD =
            Pattern.compile("[\\p{L}\\p{Nl}_][\\p{L}\\p{Nl}\\p{M}\\p{N}\\p{Pc}]*");

    private static final Pattern PLACE_OF_SYNTAX_ERROR =
            Pattern.compile(" \\([^()]*, line \\d+\\)$");

    /** Answers what stands for an absent name, and how texts and namespaces are made and read. */
    private static final Source MACHINERY =
            Source.newBuilder(
                            "python",
                            """
                            def install(find, removed):
                                import ast
                                Module = type(ast)

                                absent = object()
                                modules = {}

                                class Namespace(dict):
                                    def __init__(self, given):
                                        dict.__init__(self, given)
                                        self.written = set()

                                    def __missing__(self, name):
                                        value = find(name)
                                        return modules[name] if value is absent else value

                                    def __setitem__(self, name, value):
                                        dict.__setitem__(self, name, value)
                                        if isinstance(value, Module):
                                            modules[name] = value
                                        elif not (name.startswith('__') and name.endswith('__')):
                                            self.written.add(name)

                                    def __delitem__(self, name):
                                        if name in self:
                                            dict.__delitem__(self, name)
                                        else:
                                            self[name]  # fails if no tier has it
                                        removed(name)

                                    def wrote(self, name):
                                        return name in self.written and name in self

                                    def names(self):
                                        return [name for name in self if self.wrote(name)]

                                    def value(self, name):
                                        return dict.__getitem__(self, name)

                                    def bind(self, name, value):
                                        self[name] = value

                                def open(names, *values):
                                    given = dict(zip(names, values))
                                    given.setdefault('__name__', '__main__')
                                    return Namespace(given)

                                def text(code, file):
                                    tree = ast.parse(code, file)
                                    value = None
                                    if tree.body and isinstance(tree.body[-1], ast.Expr):
                                        last = ast.Expression(tree.body.pop().value)
                                        value = compile(last, file, 'eval')
                                    body = compile(tree, file, 'exec')

                                    def run(variables):
                                        namespace = variables.namespace
                                        exec(body, namespace)
                                        return None if value is None else eval(value, namespace)

                                    return run

                                return absent, open, text

                            install
                            """,
                            "blockscope-namespace.py")
                    .internal(true)
                    .buildLiteral();

    @Override
    public String id() {
        return "python";
    }

    @Override
    public Map<String, String> options(Trust trust) {
        return Map.of();
    }

    /** A namespace takes any name. */
    @Override
    public boolean canBeParameter(String name) {
        return true;
    }

    @Override
    public Map<String, Integer> wordsOf(String text) {
        Map<String, Integer> words = new LinkedHashMap<>();
        WORD.matcher(text)
                .results()
                .map(MatchResult::group)
                .forEach(word -> words.putIfAbsent(word, words.size()));
        return words;
    }

    /** {@code locals()} shows every name. */
    @Override
    public boolean hidesNames(String text) {
        return true;
    }

    @Override
    public boolean hidesAssignments(String text) {
        return true;
    }

    @Override
    public boolean mayTouchGlobal(Set<String> words) {
        return false;
    }

    @Override
    public boolean mayMutate(Set<String> words) {
        return true;
    }

    @Override
    public String primer() {
        return "";
    }

    @Override
    public String caller() {
        return "lambda f: f()";
    }

    @Override
    public boolean tellsParameters(String text, Set<String> words) {
        return true;
    }

    @Override
    public String noName() {
        return NO_NAME;
    }

    /** Lines only: to indent a text would change it. */
    @Override
    public String placed(BlockSource source) {
        return "\n".repeat(source.line() - 1) + source.text();
    }

    /** Names are looked up when they are used, so there is nothing to know ahead. */
    @Override
    public TextNames namesOf(GuestAccess guest, BlockSource source) throws Exception {
        guest.check(id(), source.file(), placed(source));
        return TextNames.UNKNOWN;
    }

    @Override
    public Kind kindOf(Value value, Function<String, @Nullable Value> builtins) {
        return switch (Guest.typeName(value)) {
            case "bytes", "bytearray" -> Kind.BYTES;
            case "set", "frozenset" -> Kind.SET;
            case "complex", "module" -> Kind.TEXT;
            default -> Kind.PLAIN;
        };
    }

    @Override
    public boolean isOverflow(String message) {
        return message.startsWith("RecursionError: ");
    }

    @Override
    public boolean isTooLarge(String message) {
        return false;
    }

    @Override
    public boolean endsByItself(String text, Set<String> words) {
        return false;
    }

    @Override
    public String syntaxMessage(String message, String line) {
        return PLACE_OF_SYNTAX_ERROR.matcher(message).replaceFirst("");
    }

    @Override
    public String causeMember() {
        return "__cause__";
    }

    @Override
    public String errorsMember() {
        return "exceptions";
    }

    /** Frames of Python have no places; its own tracebacks have lines, and no columns. */
    @Override
    public @Nullable List<Traceback.Entry> linesOf(
            PolyglotException e, @Nullable BlockSource block) {
        Value error = e.getGuestObject();
        if (error == null || !error.hasMember("__traceback__")) {
            return null;
        }
        List<Traceback.Entry> lines = new ArrayList<>();
        Value at = error.getMember("__traceback__");
        while (!at.isNull()) {
            Value code = at.getMember("tb_frame").getMember("f_code");
            String file = code.getMember("co_filename").asString();
            if (!file.equals(MACHINERY.getName())) {
                String function = code.getMember("co_name").asString();
                lines.add(entry(file, at.getMember("tb_lineno").asInt(), function, block));
            }
            at = at.getMember("tb_next");
        }
        return lines.reversed();
    }

    private static Traceback.Entry entry(
            String file, int line, String function, @Nullable BlockSource block) {
        String text =
                block == null || !block.file().equals(file)
                        ? ""
                        : block.text().lines().skip(line - block.line()).findFirst().orElse("");
        return new Traceback.Entry(
                file, line, 0, function.equals("<module>") ? "" : function, text, true);
    }

    @Override
    public Fallback install(Context context, GuestAccess guest, Names names) {
        Value made = context.eval(MACHINERY).execute(names.find(), names.remove());
        return new InContext(
                this,
                context,
                made.getArrayElement(0),
                made.getArrayElement(1),
                made.getArrayElement(2));
    }

    private record InContext(Python dialect, Context context, Value absent, Value open, Value text)
            implements Fallback {
        /** The namespace finds them. */
        @Override
        public Value builtin(String name) {
            return absent;
        }

        /** Python's variables hold what comes from outside as it came. */
        @Override
        public Value imported(@Nullable Object value) {
            return context.asValue(value);
        }

        @Override
        public boolean sweep(boolean over) {
            return true;
        }

        /** Modules and classes may have been patched, so a context stays with its frame. */
        @Override
        public boolean isAsNew() {
            return false;
        }

        @Override
        public ParsedText parse(BlockSource source, ParsePlan plan) {
            NamespaceText made = new NamespaceText();
            context.asValue(made).executeVoid(opening(plan.names()), body(source));
            return made.text();
        }

        private ProxyExecutable opening(List<String> names) {
            List<String> real = names.stream().filter(name -> !name.equals(NO_NAME)).toList();
            ProxyArray given = ProxyArray.fromList(List.copyOf(real));
            return values -> {
                Object[] arguments = new Object[real.size() + 1];
                arguments[0] = given;
                System.arraycopy(values, 0, arguments, 1, real.size());
                return new Variables(open.execute(arguments));
            };
        }

        private Value body(BlockSource source) {
            return text.execute(dialect.placed(source), source.file());
        }
    }

    /** The names that a run has bound so far, as members. */
    private record Variables(Value namespace) implements ProxyObject {
        @Override
        public Object getMember(String name) {
            return name.equals("namespace") ? namespace : namespace.invokeMember("value", name);
        }

        @Override
        public Object getMemberKeys() {
            return namespace.invokeMember("names");
        }

        @Override
        public boolean hasMember(String name) {
            return name.equals("namespace") || namespace.invokeMember("wrote", name).asBoolean();
        }

        @Override
        public void putMember(String name, Value value) {
            namespace.invokeMember("bind", name, value);
        }
    }
}
