package dev.blockscope;

/** A guest context cannot be had any more, and with it what blocks of a frame share. */
final class LostRealmException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // it never leaves the process as itself
    private final transient Realm realm;

    private final String why;

    private LostRealmException(Realm realm, String why) {
        super(
                "an object that blocks of the frame share is lost with its guest context: %s; bind the name anew"
                        .formatted(why));
        this.realm = realm;
        this.why = why;
    }

    /** A run that was stopped is still in the realm. */
    static LostRealmException toStoppedRun(Realm realm) {
        return new LostRealmException(
                realm,
                "a run that was stopped has not come back from a host function or a builtin");
    }

    /** The realm was closed with its engine. */
    static LostRealmException withItsEngine(Realm realm) {
        return new LostRealmException(realm, "the engine that it was made with is closed");
    }

    /** Returns the same error for whoever asks now, and from where. */
    LostRealmException anew() {
        return new LostRealmException(realm, why);
    }

    /** Whether it is about a realm. */
    @SuppressWarnings("ReferenceEquality") // a realm is itself and no other
    boolean isOf(Realm other) {
        return realm == other;
    }
}
