package dev.blockscope.interleave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Inputs that run at once, and blocks that see the rows of their own. */
final class BatchTest extends InStep {
    private static final HookPoints POINTS =
            HookPoints.builder().point("rows", List.class).point("sum").module("twice").build();
    private static final HookModule<Object> TWICE = POINTS.module("twice", Object.class);

    private final Interleaver computation = Interleaver.of(POINTS);

    @Override
    HookPoints points() {
        return POINTS;
    }

    @SuppressWarnings("unchecked")
    private static List<Integer> run(Visits visits, List<Integer> inputs) {
        List<Integer> rows = (List<Integer>) visits.visit("rows", inputs);
        visits.visit("sum", rows.stream().mapToInt(Integer::intValue).sum());
        return (List<Integer>)
                visits.module(
                        TWICE,
                        List.of(rows),
                        given ->
                                ((List<Integer>) given.getFirst())
                                        .stream().map(x -> 2 * x).toList());
    }

    @Test
    void eachBlockSeesItsOwnRowsAndOneWithoutInputSeesAll() {
        String count = "%s = it.rows.length";
        Batch<Integer> batch =
                new Batch<Integer>()
                        .add(block(count.formatted("a")), 1)
                        .add(block(count.formatted("b")), 2, 3)
                        .add(block(count.formatted("c")))
                        .add(block(count.formatted("d")))
                        .add(block(count.formatted("e")), 4);
        assertThat(computation.run(batch, BatchTest::run).result()).containsExactly(2, 4, 6, 8);
        assertThat(List.of("a", "b", "c", "d", "e").stream().map(locals::get))
                .containsExactly(1, 2, 4, 4, 1);
    }

    @Test
    void anEditInOnePartLeavesTheOthersAsTheyWere() {
        Batch<Integer> batch =
                new Batch<Integer>()
                        .add(block("it.rows = [10, 20]; mine = it.rows.join()"), 1, 2)
                        .add(block("theirs = it.rows.join()"), 3);
        assertThat(computation.run(batch, BatchTest::run).result()).containsExactly(20, 40, 6);
        assertThat(locals).containsEntry("mine", "10,20").containsEntry("theirs", "3");
    }

    @Test
    void aBlockThatSeesAllReplacesAll() {
        Batch<Integer> batch =
                new Batch<Integer>().add(block("it.rows"), 1).add(block("it.rows = [7]"));
        assertThat(computation.run(batch, BatchTest::run).result()).containsExactly(14);
    }

    @Test
    void aValueWithoutRowsIsSeenAsAWholeAndBelongsToNobody() {
        Batch<Integer> reading =
                new Batch<Integer>().add(block("s = it.sum"), 1).add(block("it.rows"), 2);
        computation.run(reading, BatchTest::run);
        assertThat(locals).containsEntry("s", 3);

        Batch<Integer> writing = new Batch<Integer>().add(block("it.sum = 0"), 1, 2);
        HookException e = hookFailure(() -> computation.run(writing, BatchTest::run));
        assertThat(e.reason()).isEqualTo(HookException.Reason.WRONG_VALUE);
        assertThat(e).hasMessageContaining("it has no row for each input");
    }

    @Test
    void anotherNumberOfRowsDoesNotFit() {
        Batch<Integer> batch = new Batch<Integer>().add(block("it.rows = [1]"), 1, 2);
        HookException e = hookFailure(() -> computation.run(batch, BatchTest::run));
        assertThat(e).hasMessageContaining("expected a list of 2 rows, given [1]");
    }

    @Test
    void aBlockWithRowsOfItsOwnCannotSkipWhatOthersShare() {
        Batch<Integer> batch = new Batch<Integer>().add(block("it.twice.skip([1])"), 1);
        HookException e = hookFailure(() -> computation.run(batch, BatchTest::run));
        assertThat(e.reason()).isEqualTo(HookException.Reason.NOT_SKIPPABLE);
    }

    @Test
    void aBatchWithoutAnyInputIsRefused() {
        Batch<Integer> batch = new Batch<Integer>().add(block("it.rows"));
        HookException e =
                catchThrowableOfType(
                        HookException.class, () -> computation.run(batch, BatchTest::run));
        assertThat(e.reason()).isEqualTo(HookException.Reason.NO_INPUT);
        assertThat(e).hasMessage("the batch has no input; give it one");
    }

    @Test
    void aBatchThatRunsTakesNothingMore() {
        Batch<Integer> batch = new Batch<>();
        locals.put("more", (Runnable) () -> batch.add(block("1"), 5));
        batch.add(block("it.rows;\ntry { more() } catch (e) { said = e.message }"), 1);
        computation.run(batch, BatchTest::run);
        assertThat(locals)
                .containsEntry(
                        "said",
                        "the batch is running and takes nothing more; add to it before it runs, or run another one (block.js:2)");
    }

    @Test
    void aBatchCanBeRunAgain() {
        Batch<Integer> batch = new Batch<Integer>().add(block("n = it.rows.length"), 1);
        computation.run(batch, BatchTest::run);
        batch.add(block("m = it.rows.length"));
        computation.run(batch.add(block("it.rows"), 2), BatchTest::run);
        assertThat(locals).containsEntry("n", 1).containsEntry("m", 2);
        assertThat(batch.inputs()).containsExactly(1, 2);
    }

    @Test
    void anErrorLeavesTheBatchToBeRunAgain() {
        Batch<Integer> batch = new Batch<Integer>().add(block("it.rows"), 1);
        assertThatThrownBy(() ->
                        computation.run(
                                batch,
                                (visits, inputs) -> {
                                    throw new IllegalStateException("once");
                                }))
                .hasMessage("once");
        assertThat(computation.run(batch, BatchTest::run).result()).containsExactly(2);
    }
}
