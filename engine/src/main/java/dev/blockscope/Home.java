package dev.blockscope;

/**
 * Where a guest value lives: its realm, the scope its functions see, and the block it came from.
 *
 * @param frame the block's frame; while a value is in use its frame is, and so the realm stays open
 * @param settings how the block runs, and what it made
 */
record Home(Realm realm, Scope scope, BlockSource block, Frame frame, RunSettings settings) {}
