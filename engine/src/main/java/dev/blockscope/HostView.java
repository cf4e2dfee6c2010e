package dev.blockscope;

/** How guest code sees a host value that it has no form of its own for. */
interface HostView {
    /** Returns the host value itself, which comes out when guest code hands the view back. */
    Object host();
}
