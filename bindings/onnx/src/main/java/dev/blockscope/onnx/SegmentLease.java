package dev.blockscope.onnx;

import ai.onnxruntime.OrtSession;

/** The right to run a segment. Closing it gives the right back. */
final class SegmentLease implements AutoCloseable {
    private final Segment segment;
    private final SharedSession shared;

    private SegmentLease(Segment segment, SharedSession shared) {
        this.segment = segment;
        this.shared = shared;
    }

    /** Enters the session of a segment. */
    static SegmentLease enter(Segment segment, SharedSession shared) {
        shared.enter();
        return new SegmentLease(segment, shared);
    }

    Segment segment() {
        return segment;
    }

    OrtSession session() {
        return shared.session();
    }

    @Override
    public void close() {
        shared.leave();
    }
}
