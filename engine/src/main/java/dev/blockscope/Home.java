package dev.blockscope;

/**
 * Where a guest value lives: its realm, the scope its functions see, and the block it came from.
 */
record Home(Realm realm, Scope scope, BlockSource block) {}
