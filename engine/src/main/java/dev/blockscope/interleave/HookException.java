package dev.blockscope.interleave;

import dev.blockscope.CallSite;
import java.util.List;
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
            Reason reason, String point, int visit, @Nullable CallSite place, String message) {
        super(place == null ? message : "%s (%s)".formatted(message, place));
        this.reason = reason;
        this.point = point;
        this.visit = visit;
        this.place = place;
    }

    @SuppressWarnings("AnnotateFormatMethod") // all its calls are in this file
    private static HookException of(
            Reason reason, String point, int visit, String form, Object... values) {
        return new HookException(
                reason, point, visit, CallSite.current().orElse(null), String.format(form, values));
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

    static HookException passed(String point, int visit, int reached) {
        return of(
                Reason.PASSED,
                point,
                visit,
                "the computation has already passed \"%s\", visit %d of %d so far; ask for points in the order in which it reaches them, or for its next visit with visit(%d)",
                point,
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
