package dev.blockscope.pekko;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Jobs that wait for one model. Those that were begun before come first; then the authors take
 * turns, so that one who submits a thousand does not hold up one who submits one.
 */
final class FairQueue {
    private final Deque<LeasedJob> again = new ArrayDeque<>();
    private final Map<String, Deque<LeasedJob>> byAuthor = new LinkedHashMap<>();
    private int size;

    int size() {
        return size;
    }

    /** Returns how many jobs of an author wait. */
    int sizeOf(String author) {
        Deque<LeasedJob> jobs = byAuthor.get(author);
        return jobs == null ? 0 : jobs.size();
    }

    void add(LeasedJob job) {
        byAuthor.computeIfAbsent(job.author(), it -> new ArrayDeque<>()).addLast(job);
        size++;
    }

    /** Puts a job back that was begun. */
    void addAgain(LeasedJob job) {
        again.addLast(job);
        size++;
    }

    /** Returns whether the job was there. */
    boolean remove(LeasedJob job) {
        Deque<LeasedJob> jobs = byAuthor.get(job.author());
        boolean removed = again.remove(job) || (jobs != null && jobs.remove(job));
        if (removed) {
            size--;
        }
        if (jobs != null && jobs.isEmpty()) {
            byAuthor.remove(job.author());
        }
        return removed;
    }

    /** Takes the next job, or returns null if none waits. */
    @Nullable LeasedJob poll() {
        LeasedJob first = again.pollFirst();
        if (first != null) {
            size--;
            return first;
        }
        Iterator<Map.Entry<String, Deque<LeasedJob>>> authors = byAuthor.entrySet().iterator();
        if (!authors.hasNext()) {
            return null;
        }
        Map.Entry<String, Deque<LeasedJob>> turn = authors.next();
        String author = turn.getKey();
        Deque<LeasedJob> jobs = turn.getValue();
        authors.remove();
        LeasedJob job = jobs.removeFirst();
        if (!jobs.isEmpty()) {
            byAuthor.put(author, jobs);
        }
        size--;
        return job;
    }
}
