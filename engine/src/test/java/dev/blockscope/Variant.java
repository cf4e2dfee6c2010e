package dev.blockscope;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;

/** A way to write or to run a text that must not change what it comes to. */
enum Variant {
    /** The text as it is. */
    SCRIPT {
        @Override
        Comparison of(String text, Outcome plain, Languages run, Random random) {
            return new Comparison(text, plain, run.asBlock(text));
        }
    },
    /** One block that runs a second time (S12). */
    TWICE {
        @Override
        Comparison of(String text, Outcome plain, Languages run, Random random) {
            return new Comparison(text, plain, run.asBlockTwice(text));
        }
    },
    /** Beside a block that has bound names of its own (S6). */
    SIBLING {
        @Override
        Comparison of(String text, Outcome plain, Languages run, Random random) {
            Frame frame = Frame.empty();
            run.asBlock(
                    "sib1 = [1, 2]; let sib2 = () => sib1; class Sib3 {}; var sib4 = 'a'", frame);
            return new Comparison(text, plain, run.asBlock(text, frame));
        }
    },
    /** At another line and column of its file. */
    PLACED {
        @Override
        Comparison of(String text, Outcome plain, Languages run, Random random) {
            int lines = random.nextInt(60);
            int columns = random.nextInt(30);
            return new Comparison(
                    text,
                    plain.shifted(Languages.FILE, lines, columns),
                    run.asBlock(text, 1 + lines, 1 + columns));
        }
    },
    /** Behind a comment and empty lines. */
    COMMENTED {
        @Override
        Comparison of(String text, Outcome plain, Languages run, Random random) {
            return new Comparison(
                    text,
                    plain.shifted(Languages.FILE, 2, 9),
                    run.asBlock("// \u00e9 x\n\n/* let */" + text));
        }
    },
    /** Before a comment. */
    TRAILED {
        @Override
        Comparison of(String text, Outcome plain, Languages run, Random random) {
            return run.both(text + "\n/* x = 1 */ // let y");
        }
    },
    /** Inside braces, which make {@code let} private and functions block-scoped. */
    BRACES {
        @Override
        Comparison of(String text, Outcome plain, Languages run, Random random) {
            return run.both("{" + text + "\n}");
        }
    },
    /** As the body of a function that is called at once. */
    FUNCTION {
        @Override
        Comparison of(String text, Outcome plain, Languages run, Random random) {
            return run.both("(function () {" + text + "\n})()");
        }
    },
    /** As the argument of a direct {@code eval}. */
    EVALUATED {
        @Override
        Comparison of(String text, Outcome plain, Languages run, Random random) {
            return run.both("eval(`" + escaped(text) + "`)");
        }
    },
    /** With some of its numbers as names of the snapshot. */
    NAMED {
        @Override
        Comparison of(String text, Outcome plain, Languages run, Random random) {
            Map<String, Object> names = new LinkedHashMap<>();
            String named =
                    NUMBER.matcher(text)
                            .replaceAll(match -> {
                                if (random.nextInt(3) == 0) {
                                    return match.group();
                                }
                                names.put("number" + match.group(), Integer.valueOf(match.group()));
                                return "number" + match.group();
                            });
            return run.both(named, names);
        }
    },
    /** In a frame that has a value for each name the text binds (S3, S4). */
    SHADOWED {
        @Override
        Comparison of(String text, Outcome plain, Languages run, Random random) {
            Set<String> bound = new LinkedHashSet<>(plain.bindings().keySet());
            bound.addAll(plain.undefined());
            Map<String, Object> names = new LinkedHashMap<>();
            bound.forEach(name -> names.put(name, "old " + name));
            return run.both(text, names);
        }
    };

    /** A whole number that stands alone, as far as one can tell without a parser. */
    private static final Pattern NUMBER =
            Pattern.compile("(?<![\\w$.'\"\\\\#-])(?:0|[1-9]\\d{0,6})(?![\\w$.'\"])");

    /**
     * Runs a text in this variant.
     *
     * @param plain what the text comes to as a plain script
     */
    abstract Comparison of(String text, Outcome plain, Languages run, Random random);

    /** Returns the variant of a name as {@link #toString} gives it. */
    static Variant named(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\").replace("`", "\\`").replace("$", "\\$");
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
