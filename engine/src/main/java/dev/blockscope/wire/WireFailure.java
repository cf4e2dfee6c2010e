package dev.blockscope.wire;

import dev.blockscope.BlockException;
import dev.blockscope.BoundName;
import dev.blockscope.HostFailure;
import dev.blockscope.Limit;
import dev.blockscope.ReachedLimit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Failures of blocks as plain values: what is needed to raise the same one elsewhere. Of host
 * exceptions class and message travel, and neither their stack nor their fields.
 */
final class WireFailure {
    /** Where chains of causes are cut. */
    private static final int DEEPEST = 50;

    private final Vocabulary vocabulary;

    WireFailure(Vocabulary vocabulary) {
        this.vocabulary = vocabulary;
    }

    Map<String, @Nullable Object> toPlain(Throwable failure) {
        return toPlain(failure, DEEPEST);
    }

    private Map<String, @Nullable Object> toPlain(Throwable failure, int deepest) {
        Map<String, @Nullable Object> plain = new LinkedHashMap<>();
        List<Map<String, @Nullable Object>> besides = new ArrayList<>();
        if (failure instanceof BlockException block) {
            plain.put("language", block.language());
            plain.put("kind", block.kind().name());
            plain.put("traceback", WireTraceback.toPlain(block.traceback()));
            plain.put("bindings", block.bindings().stream().map(WireFailure::row).toList());
            block.limit()
                    .ifPresent(it -> plain.put("limit", List.of(it.limit().name(), it.value())));
        } else {
            HostFailure told = HostFailure.describing(failure);
            plain.put("class", told.className());
            plain.put("text", told.getMessage());
            if (told != failure) {
                putMore(failure, plain, besides);
            }
        }
        if (deepest > 0) {
            Throwable cause = failure.getCause();
            if (cause != null) {
                plain.put("cause", toPlain(cause, deepest - 1));
            }
            for (Throwable suppressed : failure.getSuppressed()) {
                besides.add(toPlain(suppressed, 0));
            }
        }
        if (!besides.isEmpty()) {
            plain.put("besides", besides);
        }
        return plain;
    }

    /** What travels beside the message; that it cannot be had must not hide the failure. */
    private void putMore(
            Throwable failure,
            Map<String, @Nullable Object> plain,
            List<Map<String, @Nullable Object>> besides) {
        Vocabulary.ExceptionType<?> known = vocabulary.exception(failure.getClass().getName());
        try {
            Object more = known == null ? null : known.plain(failure);
            if (more != null) {
                plain.put("more", more);
            }
        } catch (RuntimeException e) {
            HostFailure why = HostFailure.describing(e);
            besides.add(Map.of("class", why.className(), "text", why.getMessage()));
        }
    }

    private static List<String> row(BoundName bound) {
        return List.of(bound.name(), bound.type(), bound.rendering());
    }

    /**
     * Makes the failure of a block, or of a computation, again.
     *
     * @throws EnvelopeException if the values are none
     */
    Throwable ofPlain(Parts parts) {
        Throwable cause = parts.has("cause") ? ofPlain(parts.inner("cause")) : null;
        List<Throwable> besides = new ArrayList<>();
        if (parts.has("besides")) {
            for (Object one : parts.list("besides")) {
                besides.add(ofPlain(parts.inner("besides", one)));
            }
        }
        return parts.has("class")
                ? ofHost(parts, cause, besides)
                : BlockException.elsewhere(
                        parts.text("language"),
                        parts.constant("kind", BlockException.Kind.class),
                        WireTraceback.ofPlain(parts.inner("traceback")),
                        bindings(parts.rows("bindings", 3)),
                        cause,
                        besides,
                        parts.has("limit") ? limit(parts.row("limit", 2)) : null);
    }

    private Throwable ofHost(Parts parts, @Nullable Throwable cause, List<Throwable> besides) {
        String className = parts.text("class");
        String text = parts.text("text");
        Vocabulary.ExceptionType<?> known = vocabulary.exception(className);
        Throwable host =
                known == null
                        ? HostFailure.named(className, text)
                        : made(known, className, text, parts.get("more"));
        if (cause != null && host.getCause() == null) {
            setCause(host, cause);
        }
        besides.forEach(host::addSuppressed);
        return host;
    }

    /** That an exception cannot be made here must not hide what it tells. */
    private static Throwable made(
            Vocabulary.ExceptionType<?> known,
            String className,
            String text,
            @Nullable Object more) {
        try {
            return known.made().apply(messageOf(text, className), more);
        } catch (RuntimeException e) {
            HostFailure told = HostFailure.named(className, text);
            told.addSuppressed(e);
            return told;
        }
    }

    private static void setCause(Throwable host, Throwable cause) {
        try {
            host.initCause(cause);
        } catch (IllegalStateException e) {
            // It was made with no cause for good, and the cause is to be seen all the same.
            host.addSuppressed(cause);
        }
    }

    private static String messageOf(String text, String className) {
        return text.startsWith(className + ": ") ? text.substring(className.length() + 2) : "";
    }

    private static List<BoundName> bindings(List<Parts.Row> rows) {
        List<BoundName> bindings = new ArrayList<>();
        for (Parts.Row bound : rows) {
            bindings.add(new BoundName(bound.text(0), bound.text(1), bound.text(2)));
        }
        return bindings;
    }

    private static ReachedLimit limit(Parts.Row row) {
        Limit limit = Parts.constant("limit", row.values().getFirst(), Limit.class);
        if (row.values().get(1) instanceof Number value) {
            return new ReachedLimit(limit, value.longValue());
        }
        throw new EnvelopeException("the value of the limit %s is no number".formatted(limit));
    }
}
