package dev.blockscope;

import org.jspecify.annotations.Nullable;

/**
 * Guest work of one thread that another thread waits for. When the work is to end, whoever waits
 * gives it a moment to come home, and then leaves it behind: it goes on until it comes to guest
 * code, and ends there.
 */
final class Attended {
    private static final long MILLI = 1_000_000;

    /** How long work that was asked to end is waited for; in host code it may be anywhere. */
    private static final long GRACE_IN_HOST = 50 * MILLI;

    private static final long GRACE_IN_GUEST = 500 * MILLI;

    /** How long guest code may take to end by itself before it is interrupted, too. */
    static final long UNTIL_INTERRUPT = 20 * MILLI;

    private final Allowance allowance;
    private final Overdue overdue;
    private @Nullable Thread thread;
    private boolean over;
    private boolean leftBehind;
    private boolean told;

    Attended(Allowance allowance, Overdue overdue) {
        this.allowance = allowance;
        this.overdue = overdue;
    }

    /** The work begins on this thread. */
    synchronized void begins() {
        thread = Thread.currentThread();
    }

    /** Returns the thread of the work, or null if it has not begun or is over. */
    synchronized @Nullable Thread thread() {
        return thread;
    }

    /**
     * The work is over. An interrupt that was meant for it does not reach the next work on its
     * thread; returns whether there was one.
     */
    synchronized boolean ends() {
        thread = null;
        over = true;
        if (leftBehind) {
            overdue.ended();
        }
        return Thread.interrupted();
    }

    synchronized boolean isOver() {
        return over;
    }

    /** Hands an interrupt on that was meant for whoever waits. */
    synchronized void interrupt() {
        if (thread != null) {
            thread.interrupt();
        }
    }

    /**
     * Has host code that the work may be in hear, once, that it is to end. Guest code ends by
     * itself in a moment, and an interrupt would have it come by what it has in a {@code finally};
     * it is interrupted only if that moment has passed.
     *
     * @param nanos how long ago it was to end
     */
    synchronized void tell(long nanos) {
        if (!told && thread != null && (nanos > UNTIL_INTERRUPT || !isInGuestCode())) {
            told = true;
            thread.interrupt();
        }
    }

    /** Whether work that was to end so long ago has had the time for it. */
    boolean hadItsTime(long nanos) {
        return nanos > GRACE_IN_GUEST
                || (nanos > GRACE_IN_HOST && (isInHostCode() || allowance.isKeptOut()));
    }

    /** Whether the work is in a function of the host's, as far as its stack tells. */
    private boolean isInHostCode() {
        String code = innermostCode();
        return !code.isEmpty() && !isOfGuest(code) && !code.startsWith("dev.blockscope.");
    }

    /** Whether the work is in code of the guest's, and not in a wait of ours. */
    private boolean isInGuestCode() {
        return isOfGuest(innermostCode());
    }

    private static boolean isOfGuest(String type) {
        return type.startsWith("com.oracle.truffle.") || type.startsWith("org.graalvm.");
    }

    /** Returns the class of the innermost code that is not Java's own; empty if there is none. */
    private String innermostCode() {
        Thread working = thread();
        if (working != null) {
            for (StackTraceElement element : working.getStackTrace()) {
                String type = element.getClassName();
                if (!type.startsWith("java.") && !type.startsWith("jdk.")) {
                    return type;
                }
            }
        }
        return "";
    }

    /** Gives the work up. Returns false if it is over. */
    synchronized boolean leave() {
        if (over) {
            return false;
        }
        if (!leftBehind) {
            leftBehind = true;
            overdue.begins();
            allowance.leaveBehind();
        }
        return true;
    }
}
