package dev.blockscope;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;

/**
 * A realm and the frame it is for. A context that was never closed is not always freed, so the
 * engine closes a realm when its frame is gone.
 */
final class FrameRealm extends PhantomReference<Frame> {
    private final Realm realm;

    FrameRealm(Frame frame, Realm realm, ReferenceQueue<Frame> gone) {
        super(frame, gone);
        this.realm = realm;
    }

    /** Whether a block runs in the realm. */
    boolean isBusy() {
        return realm.turn().isLocked();
    }

    void close() {
        realm.close();
    }
}
