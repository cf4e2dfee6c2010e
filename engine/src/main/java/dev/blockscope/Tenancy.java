package dev.blockscope;

import org.jspecify.annotations.Nullable;

/**
 * A frame's hold on the realms of one engine: its runs that overlap are in one realm, and between
 * its runs it has one only if it must.
 *
 * <p>It does not hold the frame, for the realm does not either.
 */
final class Tenancy {
    private final BlockEngine engine;
    private @Nullable Realm realm;
    private int runs;
    private boolean kept;

    Tenancy(BlockEngine engine) {
        this.engine = engine;
    }

    BlockEngine engine() {
        return engine;
    }

    /** Returns the realm for a run of a block of {@code frame}; {@link #end} must follow. */
    synchronized Realm begin(Frame frame) {
        Realm current = realm;
        if (current != null && (kept || runs > 0) && !current.usable()) {
            // The runs that are still in it end there; what it has broken breaks nobody else.
            if (!kept && !current.isLost()) {
                engine.realms().keep(current, frame);
            }
            kept = false;
            runs = 0;
            current = null;
        }
        if (current == null || (!kept && runs == 0)) {
            current = engine.realms().borrow(this, current);
            realm = current;
        }
        runs++;
        return current;
    }

    /** Ends a run: the realm goes back unless something was left in it. */
    synchronized void end(Frame frame, Realm ran) {
        if (ran != realm) {
            return;
        }
        runs--;
        if (runs > 0 || ran.isLost()) {
            // A lost one is closed by the run that is still in it.
            return;
        }
        if (!kept && ran.isFreeOf(frame)) {
            engine.realms().giveBack(ran);
            return;
        }
        ran.forgetOriginsIfMarked();
        if (!kept) {
            kept = true;
            engine.realms().keep(ran, frame);
        }
    }

    /** Gives up a realm that was kept, if nothing that is left in it need live on any more. */
    synchronized void release(Frame frame) {
        Realm current = realm;
        if (current == null || !kept || runs > 0 || !current.isFreeOf(frame)) {
            return;
        }
        kept = false;
        realm = null;
        engine.realms().takeBackKept(current);
    }
}
