package dev.blockscope;

/**
 * A guest context cannot be had any more: a run that was stopped is still in it, in host code that
 * does not return.
 */
final class LostRealmException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // it never leaves the process as itself
    private final transient Realm realm;

    LostRealmException(Realm realm) {
        super(
                "an object that blocks of the frame share is lost with its guest context: a run that was stopped has not come back from a host function or a builtin; bind the name anew");
        this.realm = realm;
    }

    /** Whether it is about a realm. */
    @SuppressWarnings("ReferenceEquality") // a realm is itself and no other
    boolean isOf(Realm other) {
        return realm == other;
    }
}
