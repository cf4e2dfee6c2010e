package dev.blockscope.onnx;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;

/**
 * A session of the runtime that several runs may use at once. It is closed when its owner has given
 * it up and the last run has left it.
 */
final class SharedSession {
    private final OrtSession session;
    private final NativeLedger ledger;
    private int users;
    private boolean retired;

    SharedSession(OrtSession session, NativeLedger ledger) {
        this.session = session;
        this.ledger = ledger;
        ledger.sessionOpened();
    }

    /** Returns the session, to be used between {@link #enter} and {@link #leave} only. */
    OrtSession session() {
        return session;
    }

    /** Enters for a run; each call is followed by one of {@link #leave}. */
    synchronized void enter() {
        if (retired) {
            throw new IllegalStateException("a session was entered after it was given up");
        }
        users++;
    }

    synchronized void leave() {
        users--;
        closeIfUnused();
    }

    /** Gives the session up. */
    synchronized void retire() {
        if (!retired) {
            retired = true;
            closeIfUnused();
        }
    }

    private void closeIfUnused() {
        if (retired && users == 0) {
            try {
                session.close();
            } catch (OrtException e) {
                throw new IllegalStateException("a session could not be closed", e);
            } finally {
                ledger.sessionClosed();
            }
        }
    }
}
