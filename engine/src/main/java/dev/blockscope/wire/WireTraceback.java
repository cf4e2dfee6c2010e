package dev.blockscope.wire;

import dev.blockscope.Traceback;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tracebacks as plain values. */
final class WireTraceback {
    private WireTraceback() {}

    static Map<String, @Nullable Object> toPlain(Traceback traceback) {
        Map<String, @Nullable Object> plain = new LinkedHashMap<>();
        plain.put("message", traceback.message());
        plain.put("type", traceback.type());
        plain.put("entries", traceback.entries().stream().map(WireTraceback::row).toList());
        plain.put("gap", List.of(traceback.gap().after(), traceback.gap().entries()));
        if (traceback.cause() != null) {
            plain.put("cause", toPlain(traceback.cause()));
        }
        plain.put(
                "suppressed", traceback.suppressed().stream().map(WireTraceback::toPlain).toList());
        return plain;
    }

    private static List<Object> row(Traceback.Entry entry) {
        return List.of(
                entry.file(),
                entry.line(),
                entry.column(),
                entry.function(),
                entry.sourceLine(),
                entry.sourceColumn(),
                entry.code().name());
    }

    /**
     * Makes a traceback of what was read.
     *
     * @throws EnvelopeException if that is none
     */
    static Traceback ofPlain(Parts parts) {
        Parts.Row gap = parts.row("gap", 2);
        return new Traceback(
                parts.text("message"),
                parts.text("type"),
                parts.rows("entries", 7).stream().map(WireTraceback::entry).toList(),
                new Traceback.Gap(gap.count(0), gap.count(1)),
                parts.has("cause") ? ofPlain(parts.inner("cause")) : null,
                suppressed(parts));
    }

    private static List<Traceback> suppressed(Parts parts) {
        List<Traceback> suppressed = new ArrayList<>();
        for (Object one : parts.list("suppressed")) {
            suppressed.add(ofPlain(parts.inner("suppressed", one)));
        }
        return suppressed;
    }

    private static Traceback.Entry entry(Parts.Row row) {
        return new Traceback.Entry(
                row.text(0),
                row.count(1),
                row.count(2),
                row.text(3),
                row.text(4),
                row.position(5),
                Parts.constant("entries", row.values().get(6), Traceback.Code.class));
    }
}
