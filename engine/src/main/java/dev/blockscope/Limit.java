package dev.blockscope;

/**
 * What a run may be limited in; {@link Limits} says how much.
 *
 * @since 0.1
 */
public enum Limit {
    /** The time from the call that starts a run to its end, in milliseconds. */
    TIME("took longer than its limit of %,d ms"),
    /** The statements and function bodies that the guest executes. */
    STATEMENTS("executed more statements than its limit of %,d"),
    /** The calls of guest functions that are under way at once. */
    RECURSION("called functions deeper than its limit of %,d"),
    /** The memory that the run's thread takes from the heap, garbage included, in bytes. */
    ALLOCATION("allocated more memory than its limit of %,d bytes"),
    /** What the guest writes to its console, in bytes of UTF-8. */
    OUTPUT("wrote more output than its limit of %,d bytes"),
    /** The values and characters that leave a run for the host. */
    RESULT_SIZE("has a result larger than its limit of %,d values and characters"),
    /** How deep objects are nested in what leaves a run for the host. */
    RESULT_DEPTH("has a result nested deeper than its limit of %,d levels"),
    /** The guest contexts that an engine has open at once. */
    CONTEXTS("needs one more guest context than the engine's limit of %,d"),
    /**
     * The end of the thread's stack, which is nobody's setting: calls within calls, of guest or
     * host functions, where {@link #RECURSION} is not limited. Its value is what the JVM gives a
     * thread in bytes, or 0 if that is not known; a thread may have been made with another.
     */
    STACK("called functions deeper than the stack of its thread holds; threads have %,d bytes"),
    /** The heap of the JVM, in bytes. */
    HEAP("needed more memory than is left of the heap of %,d bytes"),
    /**
     * The size that the language can give a value: characters of a text, elements of an array or
     * bytes of a buffer, bits of an integer; 0 if it does not say.
     */
    SIZE("was to make a value larger than the language's limit of %,d");

    private final String excess;

    Limit(String excess) {
        this.excess = excess;
    }

    /** Whether it is an end that nobody has set, which code may come to without any limits. */
    boolean isOfTheRuntime() {
        return this == STACK || this == HEAP || this == SIZE;
    }

    /** Returns what a block did that reached this limit, as a message says it. */
    String excess(long value) {
        return "the block " + excess.formatted(value);
    }
}
