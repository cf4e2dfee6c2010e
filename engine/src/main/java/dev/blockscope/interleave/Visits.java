package dev.blockscope.interleave;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a computation calls while it runs, from the one thread that runs it.
 *
 * @since 0.1
 */
public interface Visits {
    /**
     * Returns the points that blocks wait for right now; it changes with each visit. A computation
     * that can do less when nobody waits asks this.
     */
    Set<String> awaited();

    /**
     * Offers a value at a point to the blocks that wait for it. They run now, until they wait for
     * something else or end.
     *
     * @return the value to go on with: {@code value} itself, unless a block replaced it
     * @throws dev.blockscope.BlockException if a block fails; the computation should let it pass
     */
    @Nullable Object visit(String point, @Nullable Object value);
}
