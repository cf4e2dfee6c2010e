package dev.blockscope;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

import dev.blockscope.truffle.RunStopped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How much one run of a block may take. A run that reaches a limit is stopped: guest code cannot
 * catch that, nothing is pushed, and the {@link BlockException} tells {@linkplain
 * BlockException#limit which limit} it was, its value, and the line.
 *
 * {@snippet :
 * Limits limits = Limits.builder().time(Duration.ofMillis(500)).statements(100_000).build();
 * engine.capture("for (;;);", frame).within(limits).run(); // BlockException, TIMEOUT
 * }
 *
 * <p>A call of a {@link GuestFunction} by the host, when no block runs on the thread, is held to
 * the limits of the block that made the function, each call to all of them.
 *
 * <p>A run with a time limit may take place on a thread of the engine while the caller waits, so
 * that the caller is free in time whatever the block does: host functions are then called on that
 * thread. See the page "Limits and trust".
 *
 * @since 0.1
 */
public final class Limits {
    /** No limits: a block runs until it ends. */
    public static final Limits NONE = new Builder().build();

    /**
     * For code from anybody, in a service that must go on: one second, 10 million statements, 1,000
     * calls deep, 512 MiB allocated, 64 KiB of output, results of a million values and characters
     * that are 100 levels deep. It equals
     *
     * {@snippet :
     * Limits.builder()
     *         .time(Duration.ofSeconds(1))
     *         .statements(10_000_000)
     *         .recursion(1_000)
     *         .allocatedBytes(512L << 20)
     *         .outputBytes(64 << 10)
     *         .resultSize(1_000_000)
     *         .resultDepth(100)
     *         .build();
     * }
     */
    public static final Limits UNTRUSTED =
            new Builder()
                    .time(Duration.ofSeconds(1))
                    .statements(10_000_000)
                    .recursion(1_000)
                    .allocatedBytes(512L << 20)
                    .outputBytes(64 << 10)
                    .resultSize(1_000_000)
                    .resultDepth(100)
                    .build();

    private static final long UNLIMITED = Long.MAX_VALUE;

    private final long nanos;
    private final long statements;
    private final long recursion;
    private final long allocatedBytes;
    private final long outputBytes;
    private final long resultSize;
    private final long resultDepth;
    private final boolean none;

    private Limits(Builder builder) {
        this.nanos = builder.nanos;
        this.statements = builder.statements;
        this.recursion = builder.recursion;
        this.allocatedBytes = builder.allocatedBytes;
        this.outputBytes = builder.outputBytes;
        this.resultSize = builder.resultSize;
        this.resultDepth = builder.resultDepth;
        this.none = values().stream().allMatch(value -> value == UNLIMITED);
    }

    /** Returns a builder of limits that begins without any. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns a builder that begins with these limits. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.nanos = nanos;
        builder.statements = statements;
        builder.recursion = recursion;
        builder.allocatedBytes = allocatedBytes;
        builder.outputBytes = outputBytes;
        builder.resultSize = resultSize;
        builder.resultDepth = resultDepth;
        return builder;
    }

    /** Returns the limit of the time that a run takes, or empty if there is none. */
    public Optional<Duration> time() {
        return hasTime() ? Optional.of(Duration.ofNanos(nanos)) : Optional.empty();
    }

    /** Returns the most statements, or {@code Long.MAX_VALUE} if there is no limit. */
    public long statements() {
        return statements;
    }

    /** Returns the deepest recursion, or {@code Long.MAX_VALUE} if there is no limit. */
    public long recursion() {
        return recursion;
    }

    /** Returns the most bytes of memory, or {@code Long.MAX_VALUE} if there is no limit. */
    public long allocatedBytes() {
        return allocatedBytes;
    }

    /** Returns the most bytes of output, or {@code Long.MAX_VALUE} if there is no limit. */
    public long outputBytes() {
        return outputBytes;
    }

    /** Returns the largest result, or {@code Long.MAX_VALUE} if there is no limit. */
    public long resultSize() {
        return resultSize;
    }

    /** Returns the deepest result, or {@code Long.MAX_VALUE} if there is no limit of these. */
    public long resultDepth() {
        return resultDepth;
    }

    /**
     * Does something that obeys these limits, and a signal if there is one, on another thread if
     * that may be needed to be done with it in time.
     *
     * @throws BlockException if a limit is reached, or the signal is stopped
     */
    <T extends @Nullable Object> T held(
            BlockEngine engine,
            BlockSource block,
            @Nullable StopSignal signal,
            Function<Allowance, T> work) {
        Allowance allowance = Allowance.guarded(this, engine.guest(), block, signal);
        Supplier<T> obeying = () -> obeying(allowance, work);
        return areWatched() || signal != null
                ? Guard.over(engine, allowance, obeying)
                : obeying.get();
    }

    /** Does something that obeys an allowance, on this thread. */
    static <T extends @Nullable Object> T obeying(
            Allowance allowance, Function<Allowance, T> work) {
        try {
            return work.apply(allowance);
        } catch (BlockException | GuardNeededException e) {
            throw e;
        } catch (RuntimeException | RunStopped e) {
            if (allowance.reached() == null) {
                throw e;
            }
            // Whatever it looks like, it comes from the end that was made of the work.
            throw allowance.failure();
        }
    }

    /** Whether nothing is limited. */
    boolean areNone() {
        return none;
    }

    /** Whether somebody else must look whether a limit is reached, for guest code cannot. */
    boolean areWatched() {
        return hasTime() || hasAllocation();
    }

    /** Returns how much a limit allows, in its own unit. */
    long valueOf(Limit limit) {
        return switch (limit) {
            case TIME -> Math.max(1, Duration.ofNanos(nanos).toMillis());
            case STATEMENTS -> statements;
            case RECURSION -> recursion;
            case ALLOCATION -> allocatedBytes;
            case OUTPUT -> outputBytes;
            case RESULT_SIZE -> resultSize;
            case RESULT_DEPTH -> resultDepth;
            case CONTEXTS ->
                    throw new IllegalArgumentException("contexts are limited by the engine");
            case STACK, HEAP, SIZE ->
                    throw new IllegalArgumentException("%s is nobody's setting".formatted(limit));
        };
    }

    long nanos() {
        return nanos;
    }

    boolean hasTime() {
        return nanos != UNLIMITED;
    }

    boolean hasAllocation() {
        return allocatedBytes != UNLIMITED;
    }

    /** Whether guest code must count what it does. */
    boolean areCounted() {
        return statements != UNLIMITED || recursion != UNLIMITED;
    }

    private List<Long> values() {
        return List.of(
                nanos, statements, recursion, allocatedBytes, outputBytes, resultSize, resultDepth);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Limits limits && values().equals(limits.values());
    }

    @Override
    public int hashCode() {
        return values().hashCode();
    }

    @Override
    public String toString() {
        List<String> set = new ArrayList<>();
        time().ifPresent(time -> set.add("time=" + time));
        add(set, "statements", statements);
        add(set, "recursion", recursion);
        add(set, "allocatedBytes", allocatedBytes);
        add(set, "outputBytes", outputBytes);
        add(set, "resultSize", resultSize);
        add(set, "resultDepth", resultDepth);
        return "Limits" + set;
    }

    private static void add(List<String> set, String name, long value) {
        if (value != UNLIMITED) {
            set.add(name + "=" + value);
        }
    }

    /**
     * What a run may take; what is not set is not limited.
     *
     * @since 0.1
     */
    public static final class Builder {
        private long nanos = UNLIMITED;
        private long statements = UNLIMITED;
        private long recursion = UNLIMITED;
        private long allocatedBytes = UNLIMITED;
        private long outputBytes = UNLIMITED;
        private long resultSize = UNLIMITED;
        private long resultDepth = UNLIMITED;

        private Builder() {}

        /**
         * Limits the time from the call that starts the run to its end: the wait for a sibling's
         * turn and the time in host functions count. The run ends as {@link
         * BlockException.Kind#TIMEOUT}.
         *
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder time(Duration most) {
            requireNonNull(most, "most");
            checkArgument(most.isPositive(), "the time limit is %s, expected a positive one", most);
            this.nanos =
                    most.compareTo(Duration.ofNanos(UNLIMITED)) < 0 ? most.toNanos() : UNLIMITED;
            return this;
        }

        /**
         * Limits the statements and function bodies that the guest executes, in whatever function
         * of whatever text.
         *
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder statements(long most) {
            this.statements = positive("statements", most);
            return this;
        }

        /**
         * Limits how deep calls of guest functions are nested. Without it the stack of the thread
         * is the limit, and guest code can catch that.
         *
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder recursion(long most) {
            this.recursion = positive("recursion", most);
            return this;
        }

        /**
         * Limits the memory that the run's thread takes from the heap, garbage included. It is
         * looked at every few milliseconds, so a run may take somewhat more before it is stopped;
         * one object that is too large for the heap is refused by Java itself.
         *
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder allocatedBytes(long most) {
            this.allocatedBytes = positive("allocated bytes", most);
            return this;
        }

        /**
         * Limits what the guest writes to its console, in bytes of UTF-8.
         *
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder outputBytes(long most) {
            this.outputBytes = positive("output bytes", most);
            return this;
        }

        /**
         * Limits what leaves the run for the host, the value and the names that the block assigned
         * together: each value counts one, and each character of a text and each element of a
         * buffer one more.
         *
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder resultSize(long most) {
            this.resultSize = positive("result size", most);
            return this;
        }

        /**
         * Limits how deep objects are nested in what leaves the run for the host: a list of numbers
         * is one level deep. Without it 500 levels are the most that can be handed over.
         *
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder resultDepth(long most) {
            this.resultDepth = positive("result depth", most);
            return this;
        }

        /** Returns the limits. */
        public Limits build() {
            return new Limits(this);
        }

        private static long positive(String name, long most) {
            checkArgument(
                    most > 0, "the limit of %s is %s, expected a positive number", name, most);
            return most;
        }
    }
}
