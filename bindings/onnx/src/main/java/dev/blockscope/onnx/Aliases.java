package dev.blockscope.onnx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What variables of a text stand for, as far as chains say: after {@code for (const layer of
 * model.encoder.layer)} each {@code layer} is some element of {@code encoder.layer}. Of several
 * definitions the nearest before a place counts there.
 */
final class Aliases {
    /** What would stand for more, by a variable that is defined by itself, stands for nothing. */
    private static final int MOST_PARTS = 50;

    private static final String LOOP = "of";

    /** A name that something is assigned to, or that takes each element of what follows. */
    private static final Pattern DEFINED =
            Pattern.compile(
                    "(?<![\\w$.])(%s)\\s*+(=(?![=>])|%s(?![\\w$]))\\s*+"
                            .formatted(Chain.NAME, LOOP));

    /** By names, what they stand for from some place of the text on. */
    private final Map<String, TreeMap<Integer, List<String>>> meanings = new HashMap<>();

    private Aliases() {}

    /** Finds the definitions of a text. */
    static Aliases in(String text) {
        Aliases aliases = new Aliases();
        Matcher defined = DEFINED.matcher(text);
        while (defined.find()) {
            Optional<Chain> chain = Chain.at(text, defined.end());
            List<String> meaning =
                    chain.map(aliases::parts)
                            .map(parts -> defined.group(2).equals(LOOP) ? elementOf(parts) : parts)
                            .filter(parts -> parts.size() <= MOST_PARTS)
                            .orElse(List.of());
            aliases.meanings
                    .computeIfAbsent(defined.group(1), _ -> new TreeMap<>())
                    .put(chain.map(Chain::end).orElse(defined.end()), meaning);
        }
        return aliases;
    }

    private static List<String> elementOf(List<String> parts) {
        List<String> element = new ArrayList<>(parts);
        element.add(Chain.ANY);
        return element;
    }

    /** Returns the parts of a chain, after those that its variable stands for. */
    List<String> parts(Chain chain) {
        TreeMap<Integer, List<String>> ofVariable =
                meanings.getOrDefault(chain.variable(), new TreeMap<>());
        Map.Entry<Integer, List<String>> nearest = ofVariable.floorEntry(chain.start());
        return nearest == null
                ? chain.parts()
                : Stream.concat(nearest.getValue().stream(), chain.parts().stream()).toList();
    }
}
