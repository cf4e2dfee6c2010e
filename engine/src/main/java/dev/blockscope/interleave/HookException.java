package dev.blockscope.interleave;

import dev.blockscope.CallSite;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A block, or the host, asked something of a computation that cannot be done. A block can catch it.
 *
 * @since 0.1
 */
public final class HookException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why it could not be done. */
    public enum Reason {
        /** There is no such point. */
        UNKNOWN,
        /** The computation has passed the point's visit. */
        PASSED,
        /** The computation ended, or was stopped, and did not reach the point's visit. */
        NEVER_REACHED,
        /** The replacement is not what the point takes. */
        WRONG_VALUE,
        /** The computation offers no way to leave the module out. */
        NOT_SKIPPABLE,
        /** Fewer blocks can come to a barrier than it waits for. */
        BARRIER_SHORT,
        /** No computation that has the point runs with this block. */
        NOT_RUNNING,
        /** A batch was changed or run by a block that runs in it. */
        STARTED_WITHIN_RUN,
        /** There is no input: of a batch, or of a module. */
        NO_INPUT
    }

    private final Reason reason;
    private final String point;
    private final int visit;
    private final @Nullable CallSite place;

    private HookException(
            Reason reason, String message, String point, int visit, @Nullable CallSite place) {
        super(message);
        this.reason = reason;
        this.point = point;
        this.visit = visit;
        this.place = place;
    }

    @SuppressWarnings("AnnotateFormatMethod") // all its calls are in this file
    private static HookException of(
            Reason reason, String point, int visit, String form, Object... values) {
        CallSite place = CallSite.current().orElse(null);
        String message = String.format(form, values);
        return new HookException(
                reason,
                place == null ? message : "%s (%s)".formatted(message, place),
                point,
                visit,
                place);
    }

    /** Returns why it could not be done. */
    public Reason reason() {
        return reason;
    }

    /** Returns the path of the point or module, or the name of the barrier, that was asked for. */
    public String point() {
        return point;
    }

    /** Returns which visit was asked for, the first being 0. */
    public int visit() {
        return visit;
    }

    /** Returns the line of the block that asked, or empty if it was the host. */
    public Optional<CallSite> place() {
        return Optional.ofNullable(place);
    }

    /**
     * Returns what there is to know of the exception beside its message, as plain values that
     * travel.
     */
    public Map<String, Object> toPlain() {
        Map<String, Object> plain = new LinkedHashMap<>();
        plain.put("reason", reason.name());
        plain.put("point", point);
        plain.put("visit", visit);
        if (place != null) {
            plain.put("place", List.of(place.file(), place.line(), place.column()));
        }
        return plain;
    }

    /**
     * Makes an exception that was thrown elsewhere.
     *
     * @param message its message
     * @param plain what {@link #toPlain} has told of it; it is not trusted
     * @throws IllegalArgumentException if that is none
     */
    public static HookException elsewhere(String message, @Nullable Object plain) {
        if (plain instanceof Map<?, ?> told
                && told.get("reason") instanceof String reason
                && told.get("point") instanceof String point
                && told.get("visit") instanceof Integer visit) {
            CallSite place = place(told.get("place"));
            // The message names the place already.
            return new HookException(Reason.valueOf(reason), message, point, visit, place);
        }
        throw new IllegalArgumentException(
                "expected a reason, a point and a visit, found " + plain);
    }

    private static @Nullable CallSite place(@Nullable Object told) {
        return told instanceof List<?> row
                        && row.size() == 3
                        && row.get(0) instanceof String file
                        && row.get(1) instanceof Integer line
                        && row.get(2) instanceof Integer column
                ? new CallSite(file, line, column)
                : null;
    }

    /** Makes the exception of a replacement that a point does not take. */
    public static HookException wrongValue(String point, String expectedAndGiven) {
        return of(
                Reason.WRONG_VALUE,
                point,
                0,
                "the value assigned to \"%s\" does not fit: %s",
                point,
                expectedAndGiven);
    }

    static HookException unknown(String point, List<String> nearest) {
        return of(
                Reason.UNKNOWN,
                point,
                0,
                "there is no hook point \"%s\"; the nearest are %s",
                point,
                String.join(", ", nearest));
    }

    /** Makes the exception of a point that is not there, of which more is known than its name. */
    static HookException absent(String point, int visit, String why) {
        return of(Reason.UNKNOWN, point, visit, "%s", why);
    }

    static HookException passed(String point, int visit, int reached, List<String> same) {
        String others =
                same.isEmpty()
                        ? ""
                        : ", which offers the same value as \"%s\""
                                .formatted(String.join("\", \"", same));
        return of(
                Reason.PASSED,
                point,
                visit,
                "the computation has already passed \"%s\"%s, visit %d of %d so far; ask for points in the order in which it reaches them, or for its next visit with visit(%d)",
                point,
                others,
                visit,
                reached,
                reached);
    }

    static HookException neverReached(String point, int visit, int reached) {
        return of(
                Reason.NEVER_REACHED,
                point,
                visit,
                "the computation ended without reaching \"%s\", visit %d, after %d visits; ask for a point that this run reaches",
                point,
                visit,
                reached);
    }

    static HookException stopped(String point, int visit, String by) {
        return of(
                Reason.NEVER_REACHED,
                point,
                visit,
                "the computation was stopped by %s and does not reach \"%s\", visit %d; ask for it before the stop",
                by,
                point,
                visit);
    }

    static HookException notSkippable(String module, int visit, String why) {
        return of(
                Reason.NOT_SKIPPABLE,
                module,
                visit,
                "\"%s\", visit %d, cannot be skipped: %s; assign to its output instead",
                module,
                visit,
                why);
    }

    static HookException barrierShort(String barrier, int needed, int come) {
        return of(
                Reason.BARRIER_SHORT,
                barrier,
                0,
                "barrier \"%s\" waits for %d blocks and no more than %d can come; give it the number of blocks that reach it",
                barrier,
                needed,
                come);
    }

    static HookException notRunning(String point) {
        return of(
                Reason.NOT_RUNNING,
                point,
                0,
                "\"%s\" has a value only while its computation runs with this block; run the block in a trace of it",
                point);
    }

    static HookException startedWithinRun(String what) {
        return of(
                Reason.STARTED_WITHIN_RUN,
                what,
                0,
                "the %s is running and takes nothing more; add to it before it runs, or run another one",
                what);
    }

    static HookException noInput(String what) {
        return of(Reason.NO_INPUT, what, 0, "%s has no input; give it one", what);
    }
}
