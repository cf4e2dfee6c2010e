package dev.blockscope.pekko;

import com.google.common.base.Ascii;
import com.google.common.util.concurrent.MoreExecutors;
import dev.blockscope.wire.Carrier;
import dev.blockscope.wire.DispatchException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.pekko.actor.typed.ActorRef;
import org.jspecify.annotations.Nullable;

/** One author's way to the queues of a gateway in this JVM. */
final class GatewayCarrier implements Carrier {
    private static final AtomicLong IDS = new AtomicLong();

    private final String author;
    private final LeaseBook<ActorRef<Message.ToSlot>> book;
    private final Consumer<GatewayCommand> gateway;
    private final Executor tellers;
    private final Set<LeasedJob> jobs = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    GatewayCarrier(
            String author,
            LeaseBook<ActorRef<Message.ToSlot>> book,
            Consumer<GatewayCommand> gateway,
            Executor tellers) {
        this.author = author;
        this.book = book;
        this.gateway = gateway;
        this.tellers = tellers;
    }

    @Override
    public Carried carry(Job job, Receiver receiver) {
        if (closed.get()) {
            throw LeaseBook.closedException();
        }
        Forgetting forgetting = new Forgetting(receiver);
        LeasedJob leased =
                new LeasedJob(
                        "%s-%d"
                                .formatted(
                                        Ascii.truncate(author, 100, "..."), IDS.incrementAndGet()),
                        author,
                        job,
                        forgetting,
                        MoreExecutors.newSequentialExecutor(tellers));
        forgetting.job = leased;
        jobs.add(leased);
        try {
            book.add(leased);
        } catch (RuntimeException e) {
            jobs.remove(leased);
            throw e;
        }
        gateway.accept(GatewayCommand.Look.LOOK);
        return () -> {
            jobs.remove(leased);
            stop(book.cancel(leased));
        };
    }

    private void stop(LeaseBook.@Nullable Stop<ActorRef<Message.ToSlot>> stop) {
        if (stop != null) {
            gateway.accept(new GatewayCommand.Stop(stop.slot(), stop.job(), stop.attempt()));
        }
    }

    @Override
    public void close() {
        closed.set(true);
        for (LeasedJob job : jobs) {
            stop(book.fail(job, LeaseBook.closedException()));
        }
        jobs.clear();
    }

    /** Forgets a job when it has ended. */
    private final class Forgetting implements Receiver {
        private final Receiver receiver;
        private @Nullable LeasedJob job;

        Forgetting(Receiver receiver) {
            this.receiver = receiver;
        }

        @Override
        public void started(String worker, int attempt) {
            receiver.started(worker, attempt);
        }

        @Override
        public void said(int attempt, byte[] line) {
            receiver.said(attempt, line);
        }

        @Override
        public void lost(String worker, int attempt, String reason) {
            receiver.lost(worker, attempt, reason);
        }

        @Override
        public void ended(int attempt, byte[] outcome) {
            forget();
            receiver.ended(attempt, outcome);
        }

        private void forget() {
            if (job != null) {
                jobs.remove(job);
            }
        }

        @Override
        public void failed(DispatchException reason) {
            forget();
            receiver.failed(reason);
        }
    }
}
