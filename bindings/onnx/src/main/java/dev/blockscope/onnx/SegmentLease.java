package dev.blockscope.onnx;

import ai.onnxruntime.OrtSession;

/**
 * The right to run a segment; closing it gives the right back.
 *
 * @param segment the segment
 * @param shared its session, entered
 */
record SegmentLease(Segment segment, SharedSession shared) implements AutoCloseable {
    OrtSession session() {
        return shared.session();
    }

    @Override
    public void close() {
        shared.leave();
    }
}
