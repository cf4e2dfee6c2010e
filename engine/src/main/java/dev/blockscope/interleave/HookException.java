package dev.blockscope.interleave;

import java.util.List;

/**
 * A block asked for a hook point in a way that cannot be served. It can be caught in the block.
 *
 * @since 0.1
 */
public final class HookException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** Why a point could not be served. */
    public enum Reason {
        /** There is no such point. */
        UNKNOWN,
        /** The computation has passed the point. */
        PASSED,
        /** The computation ended and did not reach the point. */
        NEVER_REACHED,
        /** The replacement is not what the point takes. */
        WRONG_VALUE,
        /** No computation that has the point runs with this block. */
        NOT_RUNNING
    }

    private final Reason reason;
    private final String point;

    private HookException(Reason reason, String point, String message) {
        super(message);
        this.reason = reason;
        this.point = point;
    }

    /** Returns why the point could not be served. */
    public Reason reason() {
        return reason;
    }

    /** Returns the path that the block asked for. */
    public String point() {
        return point;
    }

    /** Makes the exception of a replacement that a point does not take. */
    public static HookException wrongValue(String point, String expectedAndGiven) {
        return new HookException(
                Reason.WRONG_VALUE,
                point,
                "the value assigned to \"%s\" does not fit: %s".formatted(point, expectedAndGiven));
    }

    static HookException unknown(String point, List<String> nearest) {
        return new HookException(
                Reason.UNKNOWN,
                point,
                "there is no hook point \"%s\"; the nearest are %s"
                        .formatted(point, String.join(", ", nearest)));
    }

    static HookException passed(String point) {
        return new HookException(
                Reason.PASSED,
                point,
                "the computation has already passed \"%s\"; ask for points in the order in which the computation reaches them"
                        .formatted(point));
    }

    static HookException neverReached(String point) {
        return new HookException(
                Reason.NEVER_REACHED,
                point,
                "the computation ended without reaching \"%s\"; ask for a point that this run reaches"
                        .formatted(point));
    }

    static HookException notRunning(String point) {
        return new HookException(
                Reason.NOT_RUNNING,
                point,
                "\"%s\" has a value only while its computation runs with this block; run the block in a trace of it"
                        .formatted(point));
    }
}
