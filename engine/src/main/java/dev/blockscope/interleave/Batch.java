package dev.blockscope.interleave;

import dev.blockscope.Block;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Inputs that are run at once, and blocks that each see and edit the rows of their own. A block
 * without input sees the whole.
 *
 * <pre>{@code
 * Batch<Order> batch = new Batch<>();
 * batch.add(rule, first);
 * batch.add(other, second, third);
 * batch.add(watcher);
 * pricing.run(batch, (visits, orders) -> price(orders, visits));
 * }</pre>
 *
 * <p>Not safe for use by several threads. It can be run again, with more added.
 *
 * @param <I> what one input is
 * @since 0.1
 */
public final class Batch<I> {
    private final List<Own> parts = new ArrayList<>();
    private final List<I> inputs = new ArrayList<>();
    private boolean running;

    /**
     * A computation of several inputs at once.
     *
     * @param <I> what one input is
     * @param <R> what it returns; may be null
     * @param <X> the checked exception it may throw
     * @since 0.1
     */
    @FunctionalInterface
    public interface Computation<I, R extends @Nullable Object, X extends Exception> {
        /** Runs, and offers values that have a row for each of the inputs, in their order. */
        R run(Visits visits, List<I> inputs) throws X;
    }

    /** Creates an empty batch. */
    public Batch() {}

    /**
     * Adds a block with the inputs that are its own; without any it sees the rows of all.
     *
     * @return this
     * @throws HookException if the batch is running
     */
    @SafeVarargs
    public final Batch<I> add(Block block, I... own) {
        requireIdle();
        int from = inputs.size();
        for (I input : own) {
            inputs.add(input);
        }
        parts.add(new Own(block, from, inputs.size()));
        return this;
    }

    /** Returns the inputs of all blocks, in the order in which they were added. */
    public List<I> inputs() {
        return List.copyOf(inputs);
    }

    /** Returns the blocks, in the order in which they were added. */
    public List<Block> blocks() {
        return parts.stream().map(Own::block).toList();
    }

    /** Returns the blocks with the inputs of each, in the order in which they were added. */
    public List<Part<I>> parts() {
        return parts.stream()
                .map(own -> new Part<>(own.block(), inputs.subList(own.from(), own.to())))
                .toList();
    }

    /** Begins a run. */
    List<I> begin() {
        requireIdle();
        if (inputs.isEmpty()) {
            throw HookException.noInput("the batch");
        }
        running = true;
        return inputs();
    }

    void end() {
        running = false;
    }

    List<Invoke> invokes() {
        return parts.stream()
                .map(part ->
                        new Invoke(
                                part.block(),
                                part.from() == part.to()
                                        ? null
                                        : new RowRange(part.from(), part.to(), inputs.size())))
                .toList();
    }

    private void requireIdle() {
        if (running) {
            throw HookException.startedWithinRun("batch");
        }
    }

    /** A block with the positions of its own inputs. */
    private record Own(Block block, int from, int to) {}

    /**
     * A block of a batch.
     *
     * @param <I> what one input is
     * @param block the block
     * @param inputs the inputs that are its own; empty if it sees the rows of all
     * @since 0.1
     */
    public record Part<I>(Block block, List<I> inputs) {
        /** Copies the list. */
        public Part {
            inputs = List.copyOf(inputs);
        }
    }
}
