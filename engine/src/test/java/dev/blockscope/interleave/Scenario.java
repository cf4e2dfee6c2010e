package dev.blockscope.interleave;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A computation and blocks that do random things in step with it.
 *
 * @param visits the points that the computation visits, in order
 * @param failsAt before which visit the computation throws, or -1
 * @param scripts what each block does
 * @param oneFrame whether the blocks are siblings
 */
record Scenario(List<Integer> visits, int failsAt, List<List<Action>> scripts, boolean oneFrame) {
    /** How many points there are. */
    static final int POINTS = 3;

    /** What a block does in one go. */
    enum Kind {
        READ,
        WRITE,
        TRY,
        LOOP,
        BARRIER,
        STOP,
        THROW,
        HOST_THROW,
        OVERFLOW,
        INTERRUPT,
        CANCEL
    }

    /**
     * One thing that a block does.
     *
     * @param point the point, or the number of a barrier
     * @param number the visit, how many visits a loop has, or how many blocks meet
     */
    record Action(Kind kind, int point, int number) {
        /** Returns the action as the blocks' text reads it. */
        Map<String, Object> asData() {
            Map<String, Object> data = new LinkedHashMap<>();
            data.put("kind", kind.name());
            data.put("point", kind == Kind.BARRIER ? "b" + point : "p" + point);
            data.put("number", number);
            return data;
        }

        @Override
        public String toString() {
            return "%s %d/%d".formatted(kind, point, number);
        }
    }

    static Scenario of(SplittableRandom random) {
        List<Integer> visits = new ArrayList<>();
        for (int i = random.nextInt(1, 6); i > 0; i--) {
            visits.add(random.nextInt(POINTS));
        }
        List<List<Action>> scripts = new ArrayList<>();
        int blocks = random.nextInt(1, 5);
        for (int block = 0; block < blocks; block++) {
            List<Action> script = new ArrayList<>();
            for (int i = random.nextInt(5); i > 0; i--) {
                script.add(action(random, blocks));
            }
            scripts.add(script);
        }
        int failsAt = random.nextInt(6) == 0 ? random.nextInt(visits.size()) : -1;
        return new Scenario(visits, failsAt, scripts, random.nextBoolean());
    }

    private static Action action(SplittableRandom random, int blocks) {
        int point = random.nextInt(POINTS);
        return switch (random.nextInt(24)) {
            case 0, 1, 2, 3, 4 -> new Action(Kind.READ, point, random.nextInt(2));
            case 5, 6, 7, 8 -> new Action(Kind.WRITE, point, random.nextInt(2));
            case 9, 10, 11, 12 -> new Action(Kind.TRY, point, random.nextInt(3));
            case 13, 14 -> new Action(Kind.LOOP, 0, random.nextInt(4));
            case 15, 16, 17 -> new Action(Kind.BARRIER, random.nextInt(2), Math.min(2, blocks));
            case 18 -> new Action(Kind.STOP, 0, 0);
            case 19 -> new Action(Kind.THROW, 0, 0);
            case 20 -> new Action(Kind.HOST_THROW, 0, 0);
            case 21 -> new Action(random.nextInt(8) == 0 ? Kind.OVERFLOW : Kind.READ, point, 0);
            case 22 -> new Action(random.nextInt(4) == 0 ? Kind.INTERRUPT : Kind.WRITE, point, 0);
            default -> new Action(random.nextInt(4) == 0 ? Kind.CANCEL : Kind.TRY, point, 0);
        };
    }

    /** Returns the same with something else done by one block before one of its actions. */
    Scenario withInjected(int block, int position, Kind kind) {
        List<List<Action>> changed = new ArrayList<>(scripts);
        List<Action> script = new ArrayList<>(scripts.get(block));
        script.add(position, new Action(kind, 0, 0));
        changed.set(block, script);
        return new Scenario(visits, failsAt, changed, oneFrame);
    }

    /** Returns the same with a computation that fails before one of its visits. */
    Scenario failingAt(int visit) {
        return new Scenario(visits, visit, scripts, oneFrame);
    }
}
