package dev.blockscope.interleave;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A named place where blocks of a trace wait for each other, as often as they like. */
final class Barrier {
    private final String name;
    private final int needed;
    private List<Mediator> here = new ArrayList<>();

    Barrier(String name, int needed) {
        this.name = name;
        this.needed = needed;
    }

    String name() {
        return name;
    }

    int needed() {
        return needed;
    }

    int come() {
        return here.size();
    }

    void enter(Mediator mediator) {
        here.add(mediator);
    }

    void leave(Mediator mediator) {
        here.remove(mediator);
    }

    boolean isComplete() {
        return here.size() >= needed;
    }

    /** Lets those who are here go, in definition order; the next to come wait anew. */
    List<Mediator> open() {
        List<Mediator> free = here;
        here = new ArrayList<>();
        free.sort(Comparator.comparingInt(Mediator::position));
        return free;
    }
}
