package dev.blockscope;

import dev.blockscope.truffle.Harvest;
import dev.blockscope.truffle.Settlement;
import dev.blockscope.truffle.Unset;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** Brings a run to the end of the promise that it came to. */
final class Settling {
    private final Run run;
    private final Home home;
    private final GuestPromises promises;
    private final RunEnding ending;
    private final @Nullable Harvest harvest;

    /**
     * Creates what settles one run.
     *
     * @param ending asked at each turn of the wait whether the run must not go on
     * @param harvest what the run's text has left; null for the call of a function
     */
    Settling(Run run, GuestPromises promises, RunEnding ending, @Nullable Harvest harvest) {
        this.run = run;
        this.home = run.home();
        this.promises = promises;
        this.ending = ending;
        this.harvest = harvest;
    }

    /** Whether a value is a promise. */
    static boolean isPromise(Value value, Realm realm) {
        return realm.promises() != null
                && realm.dialect().kindOf(value, realm::builtin) == Dialect.Kind.PROMISE;
    }

    /**
     * Returns what a text came to in the end that came to a promise. Of one that waits at its top
     * level that is what its last statement came to; null means that it is known to the harvest.
     */
    @Nullable Value ofText(Harvest run, Settlement settlement) {
        Value value = settle(settlement);
        return run.awaits() ? lastOf(run) : value;
    }

    private @Nullable Value lastOf(Harvest run) {
        if (run.result() == Unset.UNSET) {
            throw new ConversionException(
                    "",
                    "it is an array literal, which is lost at the end of a block that awaits; give it a name: const list = [ ... ]; list",
                    null);
        }
        Value last = home.realm().asValue(run.result());
        return last.hasMembers() && isPromise(last, home.realm()) ? ofPromise(last) : null;
    }

    /** Returns what a promise came to in the end. */
    Value ofPromise(Value promise) {
        return settle(promises.follow(promise));
    }

    private Value settle(Settlement settlement) {
        PromiseWait wait = new PromiseWait(run, home.realm(), run.isInside());
        try {
            wait.until(settlement, () -> ending.requireGoingOn(harvest));
        } catch (InterruptedException e) {
            ending.requireMore();
            Thread.currentThread().interrupt();
            throw ending.givenUp("the thread was interrupted while the block waited", harvest);
        }
        refresh();
        if (!settlement.isSettled()) {
            throw ending.unsettled(wait.whyUnsettled(), harvest);
        }
        if (settlement.isRejected()) {
            promises.raise(settlement.value());
        }
        return home.realm().asValue(settlement.value());
    }

    /** The text itself was over before, and its variables were taken then. */
    private void refresh() {
        if (harvest != null) {
            run.refresh(harvest);
        }
    }
}
