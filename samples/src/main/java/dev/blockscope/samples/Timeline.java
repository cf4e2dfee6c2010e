package dev.blockscope.samples;

import dev.blockscope.wire.RunEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** When blocks of a cluster were begun, where, and how that ended, as their events tell it. */
final class Timeline {
    private final int jobs;
    private final long start = System.nanoTime();
    private final Map<String, Attempt> open = new TreeMap<>();
    private final List<Attempt> closed = new ArrayList<>();
    private int done;
    private int retried;

    /** Creates the timeline of that many jobs, which begins now. */
    Timeline(int jobs) {
        this.jobs = jobs;
    }

    /**
     * A time that a job was begun.
     *
     * @param job its number, from 0
     * @param number how often it was begun, from 1
     * @param begun seconds from the start
     * @param ended seconds from the start
     * @param lost whether nothing came of it
     */
    record Attempt(int job, int number, String worker, double begun, double ended, boolean lost) {
        private String key() {
            return key(job, number);
        }

        private static String key(int job, int number) {
            return job + "/" + number;
        }

        private Attempt ended(double now, boolean withoutOutcome) {
            return new Attempt(job, number, worker, begun, now, withoutOutcome);
        }
    }

    /** How many jobs are in which state. */
    record Counts(int waiting, int running, int done, int retried) {}

    /** Returns the seconds since the start. */
    double now() {
        return (System.nanoTime() - start) / 1e9;
    }

    /** An event of a job has come. */
    synchronized void heard(int job, RunEvent event) {
        switch (event) {
            case RunEvent.Started(String worker, int number) -> {
                Attempt attempt = new Attempt(job, number, worker, now(), 0, false);
                open.put(attempt.key(), attempt);
                retried += number > 1 ? 1 : 0;
            }
            case RunEvent.Lost(String worker, int number, String reason) ->
                    close(Attempt.key(job, number), true);
        }
    }

    /** A job has come to its end: what runs of it besides counts for nothing. */
    synchronized void ended(int job) {
        done++;
        List<String> last =
                open.values().stream()
                        .filter(attempt -> attempt.job() == job)
                        .map(Attempt::key)
                        .toList();
        last.forEach(key -> close(key, false));
    }

    private void close(String key, boolean lost) {
        Attempt attempt = open.remove(key);
        if (attempt != null) {
            closed.add(attempt.ended(now(), lost));
        }
    }

    /** Whether a worker runs something now, as far as that is known here. */
    synchronized boolean isBusy(String worker) {
        return open.values().stream().anyMatch(attempt -> attempt.worker().equals(worker));
    }

    synchronized Counts counts() {
        int running = open.size();
        return new Counts(jobs - done - running, running, done, retried);
    }

    /** Returns the attempts that have ended, in the order of their ends. */
    synchronized List<Attempt> attempts() {
        return List.copyOf(closed);
    }
}
