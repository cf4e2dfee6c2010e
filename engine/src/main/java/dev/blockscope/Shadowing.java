package dev.blockscope;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds names that a block reads, that are its own, and that a sibling has bound since. */
record Shadowing(Consumer<? super ShadowedBinding> listener) {
    /** Returns what is hidden of the bindings that were made after a moment. */
    List<ShadowedBinding> find(Block block, Predicate<String> own, long since) {
        List<ShadowedBinding> found = new ArrayList<>();
        for (String name : block.analysis().read()) {
            Slot newer = own.test(name) ? block.frame().shared().boundSince(since, name) : null;
            if (newer != null && !newer.isOf(block.source())) {
                found.add(
                        new ShadowedBinding(
                                block.source(),
                                lineOf(name, block.source()),
                                name,
                                newer.author()));
            }
        }
        return found;
    }

    void tell(List<ShadowedBinding> found) {
        found.forEach(listener);
    }

    /** Returns the line of a name's first mention, which need not be code. */
    private static int lineOf(String name, BlockSource source) {
        Matcher mention =
                Pattern.compile(
                                "(?<![\\p{javaUnicodeIdentifierPart}$])%s(?![\\p{javaUnicodeIdentifierPart}$])"
                                        .formatted(Pattern.quote(name)))
                        .matcher(source.text());
        return mention.find()
                ? source.line()
                        + (int)
                                source.text()
                                        .substring(0, mention.start())
                                        .chars()
                                        .filter(character -> character == '\n')
                                        .count()
                : source.line();
    }
}
