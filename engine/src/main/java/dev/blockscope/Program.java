package dev.blockscope;

import dev.blockscope.truffle.ParsedText;
import java.util.List;
import org.graalvm.polyglot.Value;

/**
 * A block's text, parsed in one realm.
 *
 * @param realm the realm
 * @param text the parsed text, as the machinery knows it
 * @param executable the same, as a value to call
 * @param names the names of its arguments, in their order
 */
record Program(Realm realm, ParsedText text, Value executable, List<String> names) {}
