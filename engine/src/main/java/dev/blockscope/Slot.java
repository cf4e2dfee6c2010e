package dev.blockscope;

import dev.blockscope.truffle.Harvest;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** What a scope holds for one name. */
sealed interface Slot {
    /** Whether the name is bound now; a variable that is still undefined is not. */
    boolean bound();

    /** Returns the value for guest code of {@code reader}. */
    @Nullable Object guest(@Nullable Realm reader);

    /** Returns the value as plain Java. */
    @Nullable Object host();

    /** Whether a run of this text put it there. */
    boolean isOf(BlockSource text);

    /** A value that the host put there. */
    record OfHost(@Nullable Object value) implements Slot {
        @Override
        public boolean bound() {
            return true;
        }

        @Override
        public @Nullable Object guest(@Nullable Realm reader) {
            return HostToGuest.convert(value);
        }

        @Override
        public @Nullable Object host() {
            return value;
        }

        @Override
        public boolean isOf(BlockSource text) {
            return false;
        }
    }

    /** A value that guest code assigned. */
    record OfGuest(Value value, Home home) implements Slot {
        @Override
        public boolean bound() {
            return true;
        }

        @Override
        public @Nullable Object guest(@Nullable Realm reader) {
            // Guest values do not cross realms; what crosses is plain.
            return home.realm() == reader ? value : HostToGuest.convert(host());
        }

        @Override
        public @Nullable Object host() {
            return home.realm().exclusively(() -> GuestToHost.convert(value, home));
        }

        @Override
        public boolean isOf(BlockSource text) {
            return home.block().equals(text);
        }
    }

    /** A variable of a run, followed as its closures move it. */
    record Variable(Harvest run, String name, Home home) implements Slot {
        @Override
        public boolean bound() {
            return home.realm().exclusively(() -> home.realm().entered(() -> run.binds(name)));
        }

        @Override
        public @Nullable Object guest(@Nullable Realm reader) {
            return home.realm() == reader ? now() : HostToGuest.convert(host());
        }

        @Override
        public @Nullable Object host() {
            return home.realm().exclusively(() -> GuestToHost.convert(now(), home));
        }

        @Override
        public boolean isOf(BlockSource text) {
            return home.block().equals(text);
        }

        private Value now() {
            return home.realm().asValue(run.scope()).getMember(name);
        }
    }
}
