package dev.blockscope;

import com.google.common.base.Suppliers;
import dev.blockscope.truffle.Harvest;
import dev.blockscope.truffle.Unset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * A block's program with its arguments as far as they are the same in each run.
 *
 * @param resolved the names that are looked up before each run
 * @param given the arguments; those that are made anew for each run are still missing
 * @param open the positions of the latter
 * @param maySoEnd whether nothing in it is lengthy as far as text and builtins tell; asked only
 *     where a run is limited
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PreparedRun(
        Program program,
        Set<String> resolved,
        @Nullable Object[] given,
        int[] open,
        Supplier<Boolean> maySoEnd) {
    /** Prepares the runs of a program of {@code block}. */
    static PreparedRun of(Block block, Program program, Set<String> resolved) {
        List<String> names = program.names();
        Map<String, @Nullable Object> snapshot = block.guestSnapshot();
        @Nullable Object[] given = new Object[names.size() + 1];
        int[] open = new int[names.size()];
        int opened = 0;
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            given[i] = snapshot.containsKey(name) ? snapshot.get(name) : Unset.UNSET;
            if (resolved.contains(name) || !isSameForGuest(given[i])) {
                open[opened++] = i;
            }
        }
        return new PreparedRun(
                program,
                Set.copyOf(resolved),
                given,
                Arrays.copyOf(open, opened),
                Suppliers.memoize(() -> maySoEnd(block, program.realm())));
    }

    /** Whether this is for a realm and names that were resolved. */
    boolean fits(Realm realm, Set<String> names) {
        return program.realm() == realm
                && names.size() == resolved.size()
                && (names.isEmpty() || names.equals(resolved));
    }

    /** Returns the arguments of one run. */
    @Nullable Object[] arguments(
            Block block, Map<String, @Nullable Object> resolutions, Harvest run) {
        @Nullable Object[] arguments = Arrays.copyOf(given, given.length);
        arguments[given.length - 1] = run;
        for (int i : open) {
            String name = program.names().get(i);
            arguments[i] =
                    resolutions.containsKey(name)
                            ? resolutions.get(name)
                            : HostToGuest.convert(block.guestSnapshot().get(name));
        }
        return arguments;
    }

    /** Whether a run with some arguments will end by itself at once, whatever it does. */
    boolean endsByItself(Block block, @Nullable Object[] arguments) {
        if (!maySoEnd.get() || !program.realm().isUnmarked()) {
            return false;
        }
        for (String name : block.unresolved()) {
            if (!resolved.contains(name) && block.frame().shared().binds(name)) {
                return false;
            }
        }
        List<String> names = program.names();
        for (int i = 0; i < names.size(); i++) {
            if (!isHarmless(arguments[i], names.get(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean isHarmless(@Nullable Object argument, String name) {
        return argument == Unset.UNSET
                || StraightText.takes(argument)
                || (argument instanceof Value value && value.equals(program.realm().builtin(name)));
    }

    /** Whether the text may end by itself with the builtins that its free names can mean. */
    private static boolean maySoEnd(Block block, Realm realm) {
        return block.analysis().endsByItself()
                && block.analysis().reads(block.source().text(), Set.of()).stream()
                        .allMatch(name ->
                                realm.dialect().isQuick(name) || realm.builtin(name) == null);
    }

    /** Whether guest code gets the value as it is, and it does not change. */
    private static boolean isSameForGuest(@Nullable Object value) {
        return value == null
                || value == Unset.UNSET
                || value instanceof String
                || value instanceof Boolean
                || value instanceof Integer
                || value instanceof Double
                || value instanceof Long;
    }
}
