package dev.blockscope.truffle;

import com.oracle.truffle.api.CompilerDirectives.TruffleBoundary;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Guest work that a thread does, and that any other thread can have ended. */
public abstract sealed class Stoppable permits Harvest, GuestCall {
    private static final VarHandle THREAD = threadHandle();

    private final GuestContext context;
    private final @Nullable Meter meter;
    private List<StoppedAt> stoppedAt = List.of();

    /** Set with release, which unlike a volatile write costs a run nothing. */
    private @Nullable Thread thread;

    private boolean stopping;

    /** Written before the thread is taken back, and read after the thread. */
    private boolean over;

    Stoppable(GuestContext context, @Nullable Meter meter) {
        this.context = context;
        this.meter = meter;
    }

    /** Returns where the work was when it was stopped, the innermost frame first. */
    public final List<StoppedAt> stoppedAt() {
        return stoppedAt;
    }

    /** Notes that the work is over, however it ended; there is nothing left to stop. */
    public final void over() {
        over = true;
        THREAD.setRelease(this, null);
    }

    /** Whether the work is over; false also before it begins. */
    final boolean isOver() {
        return thread() == null && over;
    }

    /** Returns the thread that does the work, or null if none does. */
    final @Nullable Thread thread() {
        return (Thread) THREAD.getAcquire(this);
    }

    final GuestContext context() {
        return context;
    }

    /** Returns what counts the work, or null if nobody wants to know. */
    final @Nullable Meter meter() {
        return meter;
    }

    /** Returns true to the first who wants to stop the work, and false to everyone after. */
    final synchronized boolean beginStopping() {
        boolean first = !stopping;
        stopping = true;
        return first;
    }

    final void stoppedAt(List<StoppedAt> places) {
        stoppedAt = places;
    }

    @TruffleBoundary
    final void executedBy(Thread current) {
        THREAD.setRelease(this, current);
    }

    private static VarHandle threadHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(Stoppable.class, "thread", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a field of this class was not found", e);
        }
    }
}
