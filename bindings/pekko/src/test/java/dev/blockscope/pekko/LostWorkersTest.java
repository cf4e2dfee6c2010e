package dev.blockscope.pekko;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.wire.DispatchException;
import dev.blockscope.wire.Dispatcher;
import dev.blockscope.wire.RemoteRun;
import dev.blockscope.wire.RunEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Workers that are killed and frozen in the middle of a batch of blocks. All tests have the same
 * gateway, and those workers that the one before has left. The two batches that lose a worker, one
 * to a kill and one to a freeze, have two minutes together.
 */
@Timeout(100)
final class LostWorkersTest {
    private static final int BLOCKS = 1000;
    private static final int SLOTS = 4;

    /** How many blocks show how fast the slots that are left are. */
    private static final int MEASURED = 300;

    /** How long a block is in its slot at least. */
    private static final Duration BLOCK = Duration.ofMillis(20);

    /** How much later than at best the last result may come if a worker is lost. */
    private static final Duration MOST_LATE = Duration.ofMillis(1500);

    /** How long no result may come at all. */
    private static final Duration MOST_GAP = Duration.ofSeconds(3);

    private static final Duration FROZEN = Duration.ofSeconds(10);

    @TempDir private static Path folder;
    private static Path journal;
    private static WorkerProcess.Tools tools;
    private static Gateway gateway;
    private static BlockEngine engine;
    private static Dispatcher dispatcher;
    private static WorkerProcess first;
    private static WorkerProcess second;
    private static int launched;

    private GatewayState before;
    private long begunBefore;

    @BeforeAll
    static void open() throws IOException {
        journal = Files.createFile(folder.resolve("journal"));
        tools = new WorkerProcess.Tools(journal);
        engine = BlockEngine.create();
        gateway =
                Gateway.builder()
                        .terms(Terms.DEFAULT.leases(Duration.ofMillis(500), Duration.ofSeconds(2)))
                        .start();
        dispatcher = Dispatcher.over(gateway.carrier("ann"), tools.vocabulary());
        first = launch();
        second = launch();
        first.awaitReady();
        second.awaitReady();
    }

    @AfterAll
    static void close() {
        first.close();
        second.close();
        dispatcher.close();
        gateway.close();
        engine.close();
    }

    private static WorkerProcess launch() throws IOException {
        return WorkerProcess.launch(gateway.address(), "worker " + ++launched, journal);
    }

    @BeforeEach
    void haveTwoWorkers() throws Exception {
        WorkerProcess one = first.isAlive() ? first : launch();
        WorkerProcess other = second.isAlive() ? second : launch();
        if (one != first) {
            one.awaitReady();
        }
        if (other != second) {
            other.awaitReady();
        }
        first = one;
        second = other;
        // Until those that were killed are forgotten, and what others still ran has ended.
        while (!gateway.state().workers().keySet().equals(Set.of(first.name(), second.name()))
                || gateway.state().running() > 0) {
            Thread.sleep(20);
        }
        before = gateway.state();
        begunBefore = Files.readAllLines(journal).size();
    }

    private static WorkerProcess named(String worker) {
        return first.name().equals(worker) ? first : second;
    }

    private long done() {
        return gateway.state().done() - before.done();
    }

    private long retried() {
        return gateway.state().retried() - before.retried();
    }

    private long late() {
        return gateway.state().late() - before.late();
    }

    private static Block block(String text, Map<String, Object> locals) {
        return engine.capture(BlockSource.javaScript(text, "rules.js"), Frame.of(locals));
    }

    private static Map<String, Object> locals() {
        return new HashMap<>(Map.of("sleep", tools.sleep, "note", tools.note));
    }

    /** Variables that count how often each is written. */
    private static final class Counted extends AbstractMap<String, Object> {
        private final Map<String, Object> values;
        private final Map<String, Integer> writes = new ConcurrentHashMap<>();

        Counted(Map<String, Object> values) {
            this.values = values;
        }

        @Override
        public Object put(String name, Object value) {
            writes.merge(name, 1, Integer::sum);
            return values.put(name, value);
        }

        @Override
        public Set<Map.Entry<String, Object>> entrySet() {
            return values.entrySet();
        }
    }

    /** Blocks whose variables count what is pushed, and what was begun where. */
    private static final class Workload {
        private final List<Counted> locals = new ArrayList<>();
        private final List<RemoteRun> runs = new ArrayList<>();
        private final List<Long> endings = Collections.synchronizedList(new ArrayList<>());

        Workload(int blocks) {
            for (int i = 0; i < blocks; i++) {
                Map<String, Object> given = locals();
                given.put("i", i);
                given.put("n", 0);
                Counted mine = new Counted(given);
                locals.add(mine);
                String text = "note(i); sleep(%d); n = n + 1; i".formatted(BLOCK.toMillis());
                RemoteRun run = dispatcher.submit(block(text, mine));
                var _ = run.future().thenRun(() -> endings.add(System.nanoTime()));
                runs.add(run);
            }
        }

        void awaitEnded(int many) throws InterruptedException {
            while (endings.size() < many) {
                Thread.sleep(5);
            }
        }

        /** Nothing is lost, and nothing is pushed twice. */
        void requireAll() throws Exception {
            for (int i = 0; i < runs.size(); i++) {
                assertThat(runs.get(i).future().get().value()).isEqualTo(i);
                assertThat(locals.get(i)).containsEntry("n", 1);
                assertThat(locals.get(i).writes).isEqualTo(Map.of("n", 1));
            }
        }

        /**
         * The results that were missing when a worker was lost came as soon as the slots of the
         * other one alone allow, and at no time none came for long. On a machine that is busy with
         * other builds blocks take longer than they sleep, so how long they take is measured.
         */
        void requireInTime(long lost) throws Exception {
            awaitEnded(runs.size());
            long missing = endings.stream().filter(at -> at > lost).count();
            Duration best = ofOneBlock().multipliedBy(Math.ceilDiv(missing, SLOTS));
            Duration last = Duration.ofNanos(endings.getLast() - lost);
            assertThat(last)
                    .as("when the last of %d missing results came, %s at best", missing, best)
                    // With the slots of both it would be half as long.
                    .isGreaterThan(best.multipliedBy(3).dividedBy(4))
                    .isLessThan(best.plus(MOST_LATE));
            assertThat(longestGap()).as("the longest time without a result").isLessThan(MOST_GAP);
        }

        /** Returns how long a block is in one of the slots that are left. */
        private static Duration ofOneBlock() throws Exception {
            Workload measured = new Workload(MEASURED);
            measured.requireAll();
            measured.awaitEnded(MEASURED);
            List<Long> endings = measured.endings;
            // Between the first and the last one end all but those that began with the first.
            long nanos = endings.getLast() - endings.getFirst();
            Duration taken = Duration.ofNanos(nanos * SLOTS / (MEASURED - SLOTS));
            return taken.compareTo(BLOCK) > 0 ? taken : BLOCK;
        }

        private Duration longestGap() {
            long longest = 0;
            for (int i = 1; i < endings.size(); i++) {
                longest = Math.max(longest, endings.get(i) - endings.get(i - 1));
            }
            return Duration.ofNanos(longest);
        }
    }

    private long begun() throws IOException {
        return Files.readAllLines(journal).size() - begunBefore;
    }

    @Test
    @Timeout(60)
    void aWorkerThatIsKilledLosesNoBlockAndOnlyWhatItRanIsBegunAgain() throws Exception {
        Workload workload = new Workload(BLOCKS);
        workload.awaitEnded(400);
        long killed = System.nanoTime();
        second.kill();
        workload.requireAll();
        assertThat(begun()).isBetween((long) BLOCKS, (long) BLOCKS + SLOTS);
        assertThat(retried()).isLessThanOrEqualTo(SLOTS);
        workload.requireInTime(killed);
    }

    @Test
    @Timeout(60)
    void aWorkerThatStandsStillForTenSecondsLosesNoBlockAndIsThereAgainAfterwards()
            throws Exception {
        Workload workload = new Workload(BLOCKS);
        workload.awaitEnded(400);
        long frozen = System.nanoTime();
        second.freeze();
        workload.requireAll();
        workload.requireInTime(frozen);
        assertThat(retried()).isBetween(1L, (long) SLOTS);
        // Until the gateway does not count it any more.
        while (gateway.state().workers().containsKey(second.name())
                || System.nanoTime() - frozen < FROZEN.toNanos()) {
            Thread.sleep(50);
        }
        second.thaw();
        assertThat(gateway.awaitSlots(2 * SLOTS, Duration.ofSeconds(60))).isTrue();
        assertThat(done()).isEqualTo(BLOCKS + MEASURED);
        // What it ended afterwards, as far as that came, is counted and changes nothing.
        assertThat(late()).isLessThanOrEqualTo(SLOTS);
        workload.requireAll();
        assertThat(begun() - MEASURED).isBetween((long) BLOCKS, (long) BLOCKS + SLOTS);
        new Workload(20).requireAll();
    }

    @Test
    void whatAWorkerSaysThatStoodStillForAMomentCountsIfItIsTheFirstToSayIt() throws Exception {
        Map<String, Object> given = locals();
        given.put("n", 0);
        Counted locals = new Counted(given);
        BlockingQueue<RunEvent> events = new LinkedBlockingQueue<>();
        RemoteRun run =
                dispatcher.submit(block("note(1); sleep(3000); n = n + 1", locals), events::add);
        WorkerProcess stopped = named(events.take().worker());
        stopped.freeze();
        assertThat(events.take()).isInstanceOf(RunEvent.Lost.class);
        assertThat(events.take())
                .isInstanceOfSatisfying(
                        RunEvent.Started.class, it -> assertThat(it.attempt()).isEqualTo(2));
        stopped.thaw();
        assertThat(run.future().get().bindings()).isEqualTo(Map.of("n", 1));
        // The other one is stopped, and what it says then is counted.
        while (late() == 0) {
            Thread.sleep(20);
        }
        assertThat(locals).containsEntry("n", 1);
        assertThat(locals.writes).isEqualTo(Map.of("n", 1));
        assertThat(done()).isEqualTo(1);
        assertThat(late()).isEqualTo(1);
    }

    @Test
    void aBlockOfAWorkerThatIsKilledGoesToAnotherOneAtOnceAndNotToItsIdleSlots() throws Exception {
        BlockingQueue<RunEvent> events = new LinkedBlockingQueue<>();
        RemoteRun run = dispatcher.submit(block("sleep(1000); 7", locals()), events::add);
        String killed = events.take().worker();
        named(killed).kill();
        assertThat(run.future().get().value()).isEqualTo(7);
        assertThat(events.take().worker()).isEqualTo(killed);
        assertThat(events.take().worker()).isNotEqualTo(killed);
        assertThat(retried()).isEqualTo(1);
    }

    @Test
    void aGatewayWithoutWorkersWaitsForOthersAndTellsOfWhatMayNotBeRepeated() throws Exception {
        RemoteRun once = dispatcher.once().submit(block("note('once'); sleep(60000)", locals()));
        while (begun() == 0) {
            Thread.sleep(20);
        }
        Workload workload = new Workload(100);
        workload.awaitEnded(20);
        first.kill();
        second.kill();
        DispatchException failure =
                (DispatchException)
                        catchThrowableOfType(ExecutionException.class, () -> once.future().get())
                                .getCause();
        assertThat(failure.kind()).isEqualTo(DispatchException.Kind.OUTCOME_UNKNOWN);
        assertThat(failure.attempts()).hasSize(1);
        assertThat(failure.attempts().getFirst().worker()).isIn(first.name(), second.name());
        first = launch();
        first.awaitReady();
        workload.requireAll();
        assertThat(done()).isEqualTo(100);
        assertThat(Files.readAllLines(journal)).containsOnlyOnce("once");
    }
}
