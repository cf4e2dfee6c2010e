package dev.blockscope;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Small programs drawn from a grammar of the whole language. They always end; some of them throw,
 * and a few do not parse.
 *
 * @param statements the statements of the top level, one a line
 */
record RandomProgram(List<String> statements) {
    /** Draws a program; the same random numbers give the same one. */
    static RandomProgram of(Random random) {
        return new Writer(random).program();
    }

    String text() {
        return String.join("\n", statements);
    }

    /** Returns a smallest program of these statements that still fails, found by leaving out. */
    RandomProgram reduced(Predicate<RandomProgram> fails) {
        List<String> rest = new ArrayList<>(statements);
        for (int i = rest.size() - 1; i >= 0; i--) {
            List<String> less = new ArrayList<>(rest);
            less.remove(i);
            if (fails.test(new RandomProgram(less))) {
                rest = less;
            }
        }
        return new RandomProgram(rest);
    }

    /** Writes one program, in mind which names it has and of what kind they are. */
    private static final class Writer {
        private static final int DEEPEST = 3;

        private final Random random;
        private final List<String> numbers = new ArrayList<>(List.of("n0"));
        private final List<String> texts = new ArrayList<>(List.of("t0"));
        private final List<String> lists = new ArrayList<>(List.of("l0"));
        private final List<String> objects = new ArrayList<>(List.of("o0"));
        private final List<String> functions = new ArrayList<>(List.of("f0"));
        private int names;
        private int depth;

        Writer(Random random) {
            this.random = random;
        }

        RandomProgram program() {
            List<String> statements = new ArrayList<>();
            if (random.nextInt(12) == 0) {
                statements.add("'use strict';");
            }
            statements.add(
                    pick("var n0 = 3", "let n0 = 3", "n0 = 3")
                            + pick("; let t0 = 'txt'", "; var t0 = 'txt'", "; t0 = 'txt'")
                            + pick("; let l0 = [1, 2]", "; l0 = [2, 1]", "; var l0 = [5]")
                            + pick("; let o0 = { a: 1, b: 'x' }", "; o0 = { a: 1, b: 'x' }")
                            + pick(
                                    "; function f0(x = 1) { return x + 1 }",
                                    "; const f0 = (x = 1) => x + 1"));
            int size = 3 + random.nextInt(9);
            for (int i = 0; i < size; i++) {
                statements.add(statement());
            }
            statements.add(any() + ";");
            return new RandomProgram(statements);
        }

        private String statement() {
            if (depth >= DEEPEST) {
                return any() + ";";
            }
            depth++;
            String statement =
                    switch (random.nextInt(27)) {
                        case 0, 1, 2 -> declaration();
                        case 3 -> destructuring();
                        case 4, 5 -> assignment();
                        case 6 -> "if (" + any() + ") " + block() + maybe(" else " + block());
                        case 7 -> loop();
                        case 8 -> "for (const v of " + list() + ") " + block("v");
                        case 9 ->
                                "for ("
                                        + pick("let k", "var k", "k")
                                        + " in "
                                        + object()
                                        + ") "
                                        + block("k");
                        case 10 -> tryStatement();
                        case 11 ->
                                "switch ("
                                        + number()
                                        + ") { case 1: "
                                        + statement()
                                        + pick(" break;", "")
                                        + " default: "
                                        + statement()
                                        + " case 2: "
                                        + statement()
                                        + " }";
                        case 12 -> functionDeclaration();
                        case 13 -> classDeclaration();
                        case 14 -> generator();
                        case 15 -> labelled();
                        case 16 -> accessors();
                        case 17 -> block();
                        case 18 ->
                                "throw " + pick("new RangeError('r')", text(), "{ code: 1 }") + ";";
                        case 19 -> async();
                        case 20 ->
                                member()
                                        + " "
                                        + pick("=", "+=", "??=", "||=", "&&=")
                                        + " "
                                        + any()
                                        + ";";
                        case 21 -> global();
                        case 22 ->
                                "eval(`"
                                        + any().replace("\\", "\\\\")
                                                .replace("`", "\\`")
                                                .replace("$", "\\$")
                                        + "`);";
                        case 23 -> closure();
                        case 24 -> "with ({ w: " + number() + " }) { w += 1; " + any() + " }";
                        default -> any() + ";";
                    };
            depth--;
            return statement;
        }

        private String declaration() {
            boolean top = depth == 1;
            String keyword = pick("var ", "let ", "");
            return switch (random.nextInt(5)) {
                case 0 -> declared(numbers, "n", keyword, this::number, top);
                case 1 -> declared(texts, "t", keyword, this::text, top);
                case 2 -> declared(lists, "l", keyword, this::list, top);
                case 3 -> declared(objects, "o", keyword, this::object, top);
                default -> declared(functions, "f", keyword, this::function, top);
            };
        }

        private String declared(
                List<String> kind,
                String prefix,
                String keyword,
                Supplier<String> value,
                boolean top) {
            String text = value.get();
            String name = fresh(prefix);
            if (top) {
                kind.add(name);
            }
            return keyword + name + " = " + text + ";";
        }

        private String destructuring() {
            String first = fresh("n");
            String second = fresh("l");
            String statement =
                    switch (random.nextInt(4)) {
                        case 0 ->
                                "let [" + first + " = " + number() + ", ..." + second + "] = "
                                        + list() + ";";
                        case 1 -> "[" + first + " = 5, ..." + second + "] = " + list() + ";";
                        case 2 ->
                                "var { a: "
                                        + first
                                        + " = 1, ..."
                                        + second
                                        + " } = "
                                        + object()
                                        + ";";
                        default ->
                                "({ length: "
                                        + first
                                        + ", [0]: "
                                        + second
                                        + " = [] } = "
                                        + list()
                                        + ");";
                    };
            if (depth == 1) {
                numbers.add(first);
            }
            return statement;
        }

        private String assignment() {
            return switch (random.nextInt(6)) {
                case 0 ->
                        of(numbers)
                                + pick(
                                        " = ", " += ", " -= ", " *= ", " ??= ", " **= ", " <<= ",
                                        " %= ")
                                + number()
                                + ";";
                case 1 -> of(texts) + pick(" = ", " += ", " ||= ") + text() + ";";
                case 2 -> of(numbers) + pick("++", "--") + ";";
                case 3 ->
                        "["
                                + of(numbers)
                                + ", "
                                + of(texts)
                                + "] = ["
                                + number()
                                + ", "
                                + text()
                                + "];";
                case 4 -> of(lists) + " = " + list() + ";";
                default -> "({ a: " + of(numbers) + " } = " + object() + ");";
            };
        }

        private String loop() {
            String counter = fresh("i");
            String head = pick("let ", "var ", "") + counter + " = 0";
            String body = block(counter);
            return switch (random.nextInt(3)) {
                case 0 -> "for (" + head + "; " + counter + " < 3; " + counter + "++) " + body;
                case 1 -> "{ " + head + "; while (" + counter + "++ < 3) " + body + " }";
                default ->
                        "{ "
                                + head
                                + "; do { if ("
                                + counter
                                + " === 1) continue; "
                                + any()
                                + " } while (++"
                                + counter
                                + " < 3) }";
            };
        }

        private String tryStatement() {
            String body =
                    pick(
                            statement(),
                            "null.x;",
                            "throw " + any() + ";",
                            "unknown" + random.nextInt(3) + ";");
            return "try { "
                    + body
                    + " } "
                    + pick(
                            "catch (e) { t1 = String(e) }",
                            "catch { " + statement() + " }",
                            "catch ({ name = 'none' }) { t2 = name } finally { " + any() + " }",
                            "finally { " + any() + " }");
        }

        private String functionDeclaration() {
            String name = fresh("f");
            if (depth == 1) {
                functions.add(name);
            }
            return "function "
                    + name
                    + "("
                    + pick("x", "x = " + number(), "{ a: x = 2 } = {}", "...x")
                    + ") { "
                    + pick(
                            "",
                            "const y = x; ",
                            "var x2 = x; ",
                            "sloppy" + random.nextInt(3) + " = x; ")
                    + maybe(assignment() + " ")
                    + "return "
                    + pick("x", "typeof x", "[x, this === globalThis]", any(), "arguments.length")
                    + " }";
        }

        private String classDeclaration() {
            String name = fresh("C");
            String use = fresh("o");
            String text =
                    "class "
                            + name
                            + maybe(" extends Array")
                            + " { "
                            + pick(
                                    "#p = 1; get p() { return ++this.#p }",
                                    "p = " + number() + ";",
                                    "get p() { return " + any() + " }")
                            + pick(
                                    " static s = " + number() + ";",
                                    " static { this.s = " + any() + " }",
                                    "")
                            + " m(x) { return "
                            + pick("this.p", "x", any())
                            + " } } "
                            + pick("let ", "var ", "")
                            + use
                            + " = new "
                            + name
                            + "(); "
                            + use
                            + pick(".m(2)", ".p", "?.m?.(1)", ".none?.x")
                            + ";";
            if (depth == 1) {
                objects.add(use);
            }
            return text;
        }

        private String generator() {
            String name = fresh("g");
            String use = fresh("l");
            String text =
                    "function* "
                            + name
                            + "(x) { "
                            + pick(
                                    "yield x; ",
                                    "const y = yield* [x, 2]; ",
                                    "try { yield 1 } finally { closed"
                                            + random.nextInt(2)
                                            + " = x } ")
                            + "yield "
                            + any()
                            + " } "
                            + pick("var ", "let ", "")
                            + use
                            + " = "
                            + pick(
                                    "[..." + name + "(1)]",
                                    "[" + name + "(2).next().value]",
                                    "Array.from(" + name + "(3))")
                            + ";";
            if (depth == 1) {
                lists.add(use);
            }
            return text;
        }

        private String labelled() {
            return "out: for (const a of [1, 2]) { for (const b of "
                    + list()
                    + ") { "
                    + pick("if (b > 1) continue out;", "if (b === 2) break out;", "break;")
                    + " "
                    + any()
                    + " } }";
        }

        private String accessors() {
            String name = fresh("o");
            String text =
                    pick("const ", "var ", "")
                            + name
                            + " = { v: "
                            + number()
                            + ", get a() { return this.v }, set a(x) { this.v = x }, ["
                            + text()
                            + "]: "
                            + number()
                            + ", ..."
                            + object()
                            + " }; "
                            + name
                            + ".a = "
                            + number()
                            + ";";
            if (depth == 1) {
                objects.add(name);
            }
            return text;
        }

        private String async() {
            String name = fresh("p");
            return pick("var ", "let ")
                    + name
                    + " = 0; (async () => { "
                    + name
                    + " = await "
                    + any()
                    + "; late"
                    + random.nextInt(3)
                    + " = "
                    + number()
                    + " })().catch(e => { "
                    + name
                    + " = 'failed' });";
        }

        private String global() {
            String name = "g" + random.nextInt(3);
            return pick(
                    "globalThis." + name + " = " + any() + ";",
                    name + " = " + any() + ";",
                    "this." + name + " = " + number() + ";",
                    "typeof " + name + ";",
                    name + " = 1; delete " + name + ";",
                    "(0, eval)('" + name + " = 5');",
                    "'" + name + "' in globalThis;",
                    name + ";");
        }

        private String closure() {
            String name = fresh("f");
            String text =
                    pick("const ", "let ", "var ", "")
                            + name
                            + " = (x) => { "
                            + assignment()
                            + " return "
                            + any()
                            + " }; "
                            + name
                            + "(1);";
            if (depth == 1) {
                functions.add(name);
            }
            return text;
        }

        private String block(String... inner) {
            String extra =
                    inner.length == 0 ? "" : pick("", inner[0] + "; ", "seen = " + inner[0] + "; ");
            return "{ "
                    + extra
                    + statement()
                    + maybe(" " + pick("let ", "const ") + fresh("q") + " = " + any() + ";")
                    + " }";
        }

        private String any() {
            return switch (random.nextInt(9)) {
                case 0, 1 -> number();
                case 2, 3 -> text();
                case 4 -> list();
                case 5 -> "(" + object() + ")";
                case 6 -> member();
                case 7 -> call();
                default -> data();
            };
        }

        private String number() {
            if (++depth > DEEPEST + 3) {
                depth--;
                return String.valueOf(random.nextInt(20));
            }
            String number =
                    switch (random.nextInt(10)) {
                        case 0, 1, 2 ->
                                pick(
                                        "0", "1", "2", "7", "-1", "0.5", "1e3", "2 ** 31", "NaN",
                                        "-0");
                        case 3, 4 -> of(numbers);
                        case 5 ->
                                "("
                                        + number()
                                        + pick(
                                                " + ", " - ", " * ", " / ", " % ", " | ", " >>> ",
                                                " ?? ", " && ", " < ")
                                        + number()
                                        + ")";
                        case 6 -> list() + ".length";
                        case 7 ->
                                "Math." + pick("max", "min", "abs", "round") + "(" + number() + ")";
                        case 8 -> text() + ".length";
                        default -> "(" + number() + " > 1 ? " + number() + " : " + number() + ")";
                    };
            depth--;
            return number;
        }

        private String text() {
            if (++depth > DEEPEST + 3) {
                depth--;
                return "'s'";
            }
            String text =
                    switch (random.nextInt(7)) {
                        case 0, 1 -> pick("''", "'a'", "\"it's\"", "'ü😀'", "'12'");
                        case 2 -> of(texts);
                        case 3 -> "`<${" + any() + "}>`";
                        case 4 -> "String(" + number() + ")";
                        case 5 -> "(" + text() + " + " + any() + ")";
                        default ->
                                text()
                                        + pick(
                                                ".toUpperCase()",
                                                ".slice(1)",
                                                ".replace(/[a-t]/g, c => c + '.')",
                                                ".padEnd(3, '*')");
                    };
            depth--;
            return text;
        }

        private String list() {
            if (++depth > DEEPEST + 3) {
                depth--;
                return "[1]";
            }
            String list =
                    switch (random.nextInt(6)) {
                        case 0 -> "[" + any() + ", " + number() + "]";
                        case 1, 2 -> of(lists);
                        case 3 -> "[..." + list() + ", " + any() + "]";
                        case 4 ->
                                list()
                                        + pick(
                                                ".map(x => x + 1)",
                                                ".filter(Boolean)",
                                                ".slice(-2)",
                                                ".concat(" + number() + ")",
                                                ".map(x => " + any() + ")");
                        default -> "Object.keys(" + object() + ")";
                    };
            depth--;
            return list;
        }

        private String object() {
            if (++depth > DEEPEST + 3) {
                depth--;
                return "{ a: 1 }";
            }
            String object =
                    switch (random.nextInt(4)) {
                        case 0 -> "{ a: " + any() + ", b: " + number() + " }";
                        case 1 -> "{ ..." + object() + ", c: " + text() + " }";
                        default -> of(objects);
                    };
            depth--;
            return object;
        }

        private String function() {
            return pick(
                    "x => x",
                    "(x, y = 2) => [x, y]",
                    "function (x) { return typeof x }",
                    "x => " + number());
        }

        private String member() {
            return of(objects)
                    + pick(".a", "['b']", "?.a", ".none", "?.none?.deep").replace("?.", ".");
        }

        private String call() {
            return of(functions)
                    + pick(
                            "()",
                            "(" + any() + ")",
                            "?.(" + number() + ")",
                            ".call(null, 1)",
                            ".name");
        }

        private String data() {
            return pick(
                    "10n ** 20n",
                    "typeof " + pick("missing", of(numbers), of(functions)),
                    "JSON.stringify(" + list() + ")",
                    "JSON.parse('{\"j\": [1, null]}')",
                    "new Map([['k', " + number() + "]])",
                    "new Set(" + list() + ").size",
                    "new Date(0)",
                    "new Uint8Array([1, 300])",
                    "/(\\d)(?<n>x)?/.exec(" + text() + ")?.[1]",
                    "[..." + text() + "].join('-')",
                    "missing" + random.nextInt(4),
                    "(() => { " + pick("return ", "throw ") + number() + " })()",
                    "void 0",
                    "null",
                    "Symbol('y').description",
                    "[1, [2]].flat().includes(" + number() + ")");
        }

        private String of(List<String> kind) {
            return kind.get(random.nextInt(kind.size()));
        }

        private String fresh(String prefix) {
            return prefix + "_" + ++names;
        }

        private String maybe(String text) {
            return random.nextBoolean() ? text : "";
        }

        private String pick(String... texts) {
            return texts[random.nextInt(texts.length)];
        }
    }
}
