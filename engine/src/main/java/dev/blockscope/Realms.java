package dev.blockscope;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The realms of an engine. A frame borrows one for each run; it keeps the one it has when a run
 * leaves something in it that must go on living: an object that siblings may ask for, a function in
 * the host's hands, a patched builtin.
 *
 * <p>A few realms are lent in turn, and a realm beyond them is closed when it comes back. One that
 * was kept is closed or lent on when its frame is gone: a context that is merely forgotten is not
 * always freed.
 */
final class Realms {
    private static final int LENT_FOR_EACH_PROCESSOR = 4;

    private final Supplier<Realm> creation;
    private final int most;
    private final Semaphore room;
    private final AtomicReferenceArray<@Nullable Realm> lent;
    private final Set<Realm> open = ConcurrentHashMap.newKeySet();
    private final Set<Keeping> kept = ConcurrentHashMap.newKeySet();
    private final ReferenceQueue<Frame> goneFrames = new ReferenceQueue<>();

    /**
     * Creates the realms of an engine.
     *
     * @param creation makes one more
     * @param most how many may be open at once
     */
    Realms(Supplier<Realm> creation, int most) {
        this.creation = creation;
        this.most = most;
        this.room = new Semaphore(most);
        this.lent =
                new AtomicReferenceArray<>(
                        LENT_FOR_EACH_PROCESSOR * Runtime.getRuntime().availableProcessors());
    }

    /**
     * Returns a realm that nobody else has.
     *
     * @param latest the one the borrower had last, which knows its texts, or null
     * @throws LimitException if one more would be too many
     */
    Realm borrow(Tenancy borrower, @Nullable Realm latest) {
        takeBackOfGoneFrames();
        if (latest != null && take(latest, borrower)) {
            return latest;
        }
        for (int i = 0; i < lent.length(); i++) {
            Realm realm = lent.get(i);
            if (realm != null && take(realm, borrower)) {
                return realm;
            }
        }
        Realm realm = create();
        realm.tryTake(borrower);
        lend(realm);
        return realm;
    }

    private Realm create() {
        if (!room.tryAcquire()) {
            throw new LimitException(new ReachedLimit(Limit.CONTEXTS, most));
        }
        Realm realm = null;
        try {
            realm = creation.get();
            open.add(realm);
            return realm;
        } finally {
            if (realm == null) {
                room.release();
            }
        }
    }

    /** Gives a realm up in which a run is that does not end; who is in it discards it at last. */
    void lose(Realm realm) {
        unlend(realm);
        kept.removeIf(keeping -> keeping.realm == realm);
    }

    /** Closes a realm that was given up, now that nothing runs in it any more. */
    void discard(Realm realm) {
        close(realm);
    }

    /** What a text left that does not look as if it could leave anything ends here. */
    private boolean take(Realm realm, Tenancy borrower) {
        boolean taken = realm.tryTake(borrower);
        if (taken && !realm.isAsNew()) {
            close(realm);
            return false;
        }
        return taken;
    }

    /** Takes a realm back in which nothing was left. */
    void giveBack(Realm realm) {
        if (realm.usable() && realm.isLent()) {
            realm.release();
        } else {
            close(realm);
        }
    }

    /** Leaves a borrowed realm to a frame for as long as that lives. */
    void keep(Realm realm, Frame frame) {
        unlend(realm);
        kept.add(new Keeping(frame, realm, goneFrames));
    }

    /** Takes a realm back from the frame that kept it. */
    void takeBackKept(Realm realm) {
        kept.removeIf(keeping -> keeping.realm == realm);
        takeBack(realm);
    }

    /** Returns the number of open realms. */
    int size() {
        return open.size();
    }

    /** Whether a block runs in any of them. */
    boolean isBusy() {
        return open.stream().anyMatch(realm -> realm.turn().isLocked());
    }

    /** Closes every realm. */
    void close() {
        List<Realm> realms = new ArrayList<>(open);
        // Those in which something may go on for ever are waited for last.
        realms.sort(Comparator.comparing(Realm::isLost));
        realms.forEach(this::close);
        kept.clear();
    }

    private void takeBackOfGoneFrames() {
        for (Reference<? extends Frame> gone = goneFrames.poll();
                gone != null;
                gone = goneFrames.poll()) {
            Keeping keeping = (Keeping) gone;
            kept.remove(keeping);
            takeBack(keeping.realm);
        }
    }

    private void takeBack(Realm realm) {
        if (realm.isLost()) {
            return;
        }
        if (realm.isAsNew() && lend(realm)) {
            realm.release();
        } else {
            close(realm);
        }
    }

    private boolean lend(Realm realm) {
        for (int i = 0; i < lent.length(); i++) {
            if (lent.compareAndSet(i, null, realm)) {
                realm.lent(true);
                return true;
            }
        }
        return false;
    }

    private void unlend(Realm realm) {
        realm.lent(false);
        for (int i = 0; i < lent.length(); i++) {
            lent.compareAndSet(i, realm, null);
        }
    }

    private void close(Realm realm) {
        unlend(realm);
        if (open.remove(realm)) {
            room.release();
            realm.close();
        }
    }

    /** A realm and the frame that keeps it. */
    private static final class Keeping extends PhantomReference<Frame> {
        private final Realm realm;

        Keeping(Frame frame, Realm realm, ReferenceQueue<Frame> gone) {
            super(frame, gone);
            this.realm = realm;
        }
    }
}
