package dev.blockscope;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The names around a frame of guest code: what the block that it belongs to sees. Guest code gets
 * the values themselves, the host plain Java.
 */
record GuestGlobals(GuestFrame frame) implements Globals {
    @Override
    public Optional<Binding> find(String name) {
        return frame.inRealm(() -> {
            Binding bound = frame.findBehind(name);
            return bound == null
                    ? Optional.empty()
                    : Optional.of(new Binding(frame.toHost(bound.value())));
        });
    }

    /** Looks a name up among any globals; the value is for guest code. */
    static Optional<Binding> forGuest(Globals globals, String name) {
        if (globals instanceof GuestGlobals around && around.frame.isIn(Realm.entered())) {
            return Optional.ofNullable(around.frame.findBehind(name));
        }
        return globals.find(name).map(binding -> guest(binding.value()));
    }

    private static Binding guest(@Nullable Object value) {
        return new Binding(HostToGuest.convert(value));
    }
}
