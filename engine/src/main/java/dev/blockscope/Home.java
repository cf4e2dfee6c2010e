package dev.blockscope;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where a guest value lives: its realm, the scope its functions see, and the block it came from.
 *
 * @param frame the block's frame; while a value is in use its frame is, and so the realm stays open
 * @param settings how the block runs, and what it made
 */
record Home(Realm realm, Scope scope, BlockSource block, Frame frame, RunSettings settings) {
    /**
     * Does something that may run guest code of this home, while no other thread runs in its realm:
     * as part of the run that this thread is in, or else held to the limits of the block.
     *
     * @throws BlockException if a limit is reached
     */
    <T extends @Nullable Object> T limited(Supplier<T> work) {
        Run current = Run.current();
        if (settings.limits().areNone() || (current != null && current.home().realm() == realm)) {
            return realm.exclusively(work);
        }
        return settings.limits()
                .held(realm.engine(), block, null, allowance -> metered(allowance, work));
    }

    private <T extends @Nullable Object> T metered(Allowance allowance, Supplier<T> work) {
        return realm.inTurn(
                allowance,
                () ->
                        Run.limitedBy(
                                allowance,
                                () -> {
                                    try {
                                        T result =
                                                realm.following(
                                                        allowance.meter(), allowance::begin, work);
                                        allowance.requireMore();
                                        return result;
                                    } catch (BlockException e) {
                                        // Made of the error that the end of the work looked like.
                                        allowance.requireMore();
                                        throw e;
                                    }
                                }));
    }
}
