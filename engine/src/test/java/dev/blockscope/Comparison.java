package dev.blockscope;

/** What a text came to as a plain script, and as a block. */
record Comparison(String text, Outcome script, Outcome block) {
    boolean agrees() {
        return script.isThatOf(block);
    }

    @Override
    public String toString() {
        return "%n%s%nas a script: %s%nas a block:  %s".formatted(text, script, block);
    }
}
