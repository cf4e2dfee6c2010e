package dev.blockscope;

import dev.blockscope.truffle.Harvest;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/** What a scope holds for one name. */
sealed interface Slot {
    /** Returns the slot of a value that a block was captured with. */
    static Slot of(@Nullable Object captured) {
        return captured instanceof Slot slot ? slot : new OfHost(captured);
    }

    /** Longer texts, in UTF-16 units, stay where the guest has them. */
    int LONGEST_TEXT = 1 << 24;

    /** Whether the name is bound now; a variable that is still undefined is not. */
    boolean bound();

    /** Returns the value for guest code of {@code reader}. */
    @Nullable Object guest(@Nullable Realm reader);

    /** Returns the value as plain Java. */
    @Nullable Object host();

    /** Returns the text whose run put it there, or null if the host did. */
    @Nullable BlockSource author();

    /** Whether a run of this text put it there. */
    default boolean isOf(BlockSource text) {
        return text.equals(author());
    }

    /** Whether guest code may change what the slot holds. */
    default boolean moves() {
        return false;
    }

    /** Whether what the slot holds is gone with its realm. */
    default boolean lost() {
        return false;
    }

    /**
     * Returns a slot with what this one holds for good, now that no code is left to move it: one
     * that needs no realm, or null if there is none.
     */
    default @Nullable Slot settled() {
        return this;
    }

    /**
     * Returns a slot for a value of the guest's that needs no realm, or null if it needs one. So
     * does a text of absurd length, which nobody may ever want to read.
     */
    static @Nullable Slot settled(Value value, Home home) {
        if (value.isString() && home.realm().lengthOf(value) > LONGEST_TEXT) {
            return null;
        }
        Object primitive = GuestToHost.primitiveOf(value);
        return primitive == null ? null : new OfPrimitive(primitive, home.block());
    }

    /** A value that is gone with its realm. Whoever asks for it is told. */
    record Lost(LostRealmException reason, @Nullable BlockSource author) implements Slot {
        @Override
        public boolean lost() {
            return true;
        }

        @Override
        public boolean bound() {
            return true;
        }

        @Override
        public @Nullable Object guest(@Nullable Realm reader) {
            throw reason.anew();
        }

        @Override
        public @Nullable Object host() {
            throw reason.anew();
        }
    }

    /** A name without a value. */
    record Unbound() implements Slot {
        @Override
        public boolean bound() {
            return false;
        }

        @Override
        public @Nullable BlockSource author() {
            return null;
        }

        @Override
        public @Nullable Object guest(@Nullable Realm reader) {
            return null;
        }

        @Override
        public @Nullable Object host() {
            return null;
        }
    }

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
        public @Nullable BlockSource author() {
            return null;
        }
    }

    /**
     * A string, number or boolean that guest code assigned and nothing will move any more. It needs
     * no realm.
     */
    record OfPrimitive(Object raw, BlockSource block) implements Slot {
        @Override
        public boolean bound() {
            return true;
        }

        @Override
        public BlockSource author() {
            return block;
        }

        @Override
        public Object guest(@Nullable Realm reader) {
            return raw;
        }

        @Override
        public Object host() {
            return GuestToHost.ofPrimitive(raw);
        }
    }

    /** A value that guest code assigned. */
    record OfGuest(Value value, Home home) implements Slot {
        @Override
        public boolean lost() {
            return home.realm().isGone();
        }

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
            home.realm().requireThere();
            return home.limited(() -> GuestToHost.convert(value, home));
        }

        @Override
        public BlockSource author() {
            return home.block();
        }

        @Override
        public @Nullable Slot settled() {
            home.realm().requireThere();
            return home.realm().exclusively(() -> Slot.settled(value, home));
        }
    }

    /**
     * A variable of a run, followed as its closures move it.
     *
     * @param moves whether code may be left that does
     */
    record Variable(Harvest run, String name, Home home, boolean moves) implements Slot {
        @Override
        public boolean lost() {
            return home.realm().isGone();
        }

        @Override
        public boolean bound() {
            home.realm().requireThere();
            return home.realm().exclusively(() -> home.realm().entered(() -> run.binds(name)));
        }

        @Override
        public @Nullable Object guest(@Nullable Realm reader) {
            return home.realm() == reader ? now() : HostToGuest.convert(host());
        }

        @Override
        public @Nullable Object host() {
            home.realm().requireThere();
            return home.limited(() -> GuestToHost.convert(now(), home));
        }

        @Override
        public BlockSource author() {
            return home.block();
        }

        @Override
        public @Nullable Slot settled() {
            home.realm().requireThere();
            return home.realm()
                    .exclusively(() -> bound() ? Slot.settled(now(), home) : new Unbound());
        }

        Value now() {
            return home.realm().asValue(run.scope()).getMember(name);
        }

        /**
         * Assigns what guest code has as a raw value. Returns false if the variable is a constant.
         */
        boolean take(@Nullable Object raw) {
            return home.realm()
                    .exclusively(() -> {
                        try {
                            write(home.realm().asValue(raw));
                            return true;
                        } catch (ConstantException e) {
                            return false;
                        }
                    });
        }

        void write(Value value) {
            try {
                home.realm().asValue(run.scope()).putMember(name, value);
            } catch (UnsupportedOperationException e) {
                throw new ConstantException(name, e);
            }
        }
    }
}
