package dev.blockscope.interleave;

import dev.blockscope.interleave.Scenario.Action;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a scenario must come to, by the rules as the documentation tells them, without threads:
 * blocks are positions in their scripts.
 */
final class ScenarioModel {
    /** How a trace ends. */
    enum End {
        RESULT,
        STOPPED,
        COMPUTATION_FAILED,
        BLOCK_FAILED,
        CANCELLED
    }

    /** Ends the trace from within. */
    private static final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final End end;

        Ended(End end) {
            super(null, null, false, false);
            this.end = end;
        }
    }

    private static final class Block {
        private final int number;
        private final List<Action> script;
        private int position;
        private int turn;
        private boolean waits;
        private boolean ended;

        Block(int number, List<Action> script) {
            this.number = number;
            this.script = script;
        }

        Action now() {
            return script.get(position);
        }

        void next() {
            position++;
            turn = 0;
        }
    }

    private final Scenario scenario;
    private final List<Block> blocks = new ArrayList<>();
    private final int[] visits = new int[Scenario.POINTS];
    private final Map<Integer, List<Block>> barriers = new LinkedHashMap<>();
    private int current = -1;
    private boolean over;
    private Block stopper;
    private final End end;

    ScenarioModel(Scenario scenario) {
        this.scenario = scenario;
        for (List<Action> script : scenario.scripts()) {
            blocks.add(new Block(blocks.size(), script));
        }
        this.end = run();
    }

    End end() {
        return end;
    }

    /** Returns how many actions a block has done. */
    int done(int block) {
        return blocks.get(block).position;
    }

    private End run() {
        try {
            blocks.forEach(this::go);
            openAllBarriers();
            if (stopper == null) {
                compute();
            }
            if (stopper != null) {
                return End.STOPPED;
            }
            over = true;
            for (Block next = toRefuse(); next != null; next = toRefuse()) {
                refuse(next);
                openAllBarriers();
            }
            return End.RESULT;
        } catch (Ended e) {
            return e.end;
        }
    }

    private void compute() {
        for (int i = 0; i < scenario.visits().size() && stopper == null; i++) {
            if (i == scenario.failsAt()) {
                throw new Ended(End.COMPUTATION_FAILED);
            }
            current = scenario.visits().get(i);
            for (boolean moved = true; moved; ) {
                moved = openBarriers();
                for (Block block : blocks) {
                    if (block.waits && isMet(block.now(), block)) {
                        go(block);
                        moved = true;
                    }
                }
            }
            visits[current]++;
            current = -1;
        }
    }

    private boolean isMet(Action action, Block block) {
        return switch (action.kind()) {
            case READ, WRITE, TRY ->
                    current == action.point() && visits[current] == action.number();
            case LOOP -> current >= 0 && visits[current] == block.turn;
            default -> false;
        };
    }

    /** Runs a block to its next wait. */
    private void go(Block block) {
        block.waits = false;
        while (block.position < block.script.size()) {
            if (!isDone(block, block.now())) {
                block.waits = true;
                return;
            }
        }
        block.ended = true;
    }

    /** Does an action; returns false if the block waits in it. */
    private boolean isDone(Block block, Action action) {
        switch (action.kind()) {
            case READ, WRITE, TRY -> {
                if (!isMet(action, block)) {
                    if (visits[action.point()] <= action.number() && !over && stopper != block) {
                        return false;
                    }
                    requireTry(action);
                }
            }
            case LOOP -> {
                while (block.turn < action.number()) {
                    boolean past = isMet(action, block);
                    for (int count : visits) {
                        past |= count > block.turn;
                    }
                    if (!past) {
                        if (over || stopper == block) {
                            break;
                        }
                        return false;
                    }
                    block.turn++;
                }
            }
            case BARRIER -> {
                if (action.number() > 1) {
                    long living = blocks.stream().filter(other -> !other.ended).count();
                    if (action.number() > living) {
                        throw new Ended(End.BLOCK_FAILED);
                    }
                    barriers.computeIfAbsent(action.point(), _ -> new ArrayList<>()).add(block);
                    return false;
                }
            }
            case STOP -> {
                if (!over && stopper == null) {
                    stopper = block;
                }
            }
            case THROW, HOST_THROW, OVERFLOW -> throw new Ended(End.BLOCK_FAILED);
            case INTERRUPT, CANCEL -> throw new Ended(End.CANCELLED);
        }
        block.next();
        return true;
    }

    private static void requireTry(Action action) {
        if (action.kind() != Scenario.Kind.TRY) {
            throw new Ended(End.BLOCK_FAILED);
        }
    }

    private void openAllBarriers() {
        boolean opened = true;
        while (opened) {
            opened = openBarriers();
        }
    }

    private boolean openBarriers() {
        boolean opened = false;
        for (List<Block> here : List.copyOf(barriers.values())) {
            if (here.size() >= 2) {
                List<Block> free = new ArrayList<>(here);
                here.clear();
                free.sort((one, other) -> Integer.compare(one.number, other.number));
                free.forEach(block -> {
                    block.next();
                    go(block);
                });
                opened = true;
            }
        }
        return opened;
    }

    private Block toRefuse() {
        Block atBarrier = null;
        for (Block block : blocks) {
            if (block.waits && block.now().kind() == Scenario.Kind.BARRIER) {
                atBarrier = atBarrier == null ? block : atBarrier;
            } else if (block.waits) {
                return block;
            }
        }
        return atBarrier;
    }

    private void refuse(Block block) {
        Action action = block.now();
        if (action.kind() != Scenario.Kind.LOOP) {
            requireTry(action);
        }
        block.next();
        go(block);
    }
}
