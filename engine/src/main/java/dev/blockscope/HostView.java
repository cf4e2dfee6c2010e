package dev.blockscope;

/** How guest code sees a host value that it has no form of its own for. */
interface HostView {
    /** Returns the host value itself, which comes out when guest code hands the view back. */
    Object host();

    /**
     * Returns what the language's messages are to call a view: the class of what it shows, for the
     * text of a value may be anything, or fail.
     */
    static String nameOf(Object host) {
        Class<?> type = host.getClass();
        return type.isHidden() ? "a host function" : type.getTypeName();
    }
}
