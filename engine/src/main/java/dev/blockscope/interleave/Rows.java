package dev.blockscope.interleave;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the values of a computation that runs a batch into the rows of its blocks.
 *
 * @since 0.1
 */
public interface Rows {
    /**
     * Cuts lists that have an element for each row. What is no such list is seen as a whole, and
     * cannot be replaced by a block that has rows of its own.
     */
    Rows LISTS =
            new Rows() {
                @Override
                public @Nullable Object of(@Nullable Object whole, RowRange rows) {
                    return whole instanceof List<?> list && list.size() == rows.total()
                            ? list.subList(rows.from(), rows.to())
                            : whole;
                }

                @Override
                public Object replaced(
                        @Nullable Object whole, RowRange rows, @Nullable Object part) {
                    checkArgument(
                            whole instanceof List<?> list && list.size() == rows.total(),
                            "it has no row for each input and belongs to the whole batch");
                    int expected = rows.to() - rows.from();
                    checkArgument(
                            part instanceof List<?> list && list.size() == expected,
                            "expected a list of %s rows, given %s",
                            expected,
                            part);
                    List<@Nullable Object> all = new ArrayList<>((List<?>) whole);
                    for (int i = 0; i < expected; i++) {
                        all.set(rows.from() + i, ((List<?>) part).get(i));
                    }
                    return all;
                }
            };

    /**
     * Returns some rows of a value. If values can be changed in place, it is a view of the whole.
     *
     * @param whole what the computation offers
     */
    @Nullable Object of(@Nullable Object whole, RowRange rows);

    /**
     * Returns a value with some rows replaced.
     *
     * @param whole the value as it is now
     * @param part what the block assigned
     * @throws IllegalArgumentException if {@code part} does not fit, or the value has no rows; the
     *     block is told so at its own line
     */
    @Nullable Object replaced(@Nullable Object whole, RowRange rows, @Nullable Object part);
}
