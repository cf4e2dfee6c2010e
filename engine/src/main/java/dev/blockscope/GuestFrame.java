package dev.blockscope;

import dev.blockscope.truffle.LiveScope;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * The live frame of guest code that is in a call: its variables, those around it, and the names of
 * the block that it belongs to. It lives in the block's realm and keeps it open.
 */
final class GuestFrame extends Frame {
    private final Home home;
    private final LiveScope variables;
    private final Globals globals = new GuestGlobals(this);

    private GuestFrame(Home home, LiveScope variables) {
        super(codeAt(variables.place()), home.realm().sharedOf(variables.activation()));
        this.home = home;
        this.variables = variables;
    }

    private static FrameCode codeAt(LiveScope.Place place) {
        return new FrameCode(place.file(), place.line(), Tracebacks.functionOf(place.root()));
    }

    static GuestFrame ofCaller() {
        Run run = Run.current();
        LiveScope variables =
                run == null || !run.isInGuest() ? null : run.home().realm().guest().caller();
        if (run == null || variables == null) {
            throw new IllegalStateException(
                    "no guest code calls the host on this thread; call Frame.caller() inside a host function that a block calls, on the thread that calls it and not inside Turn.release");
        }
        return of(run.acting(), variables);
    }

    /** Returns the frame of a line in the block that a home belongs to. */
    static GuestFrame of(Home home, LiveScope variables) {
        home.realm().leaveSomething();
        home.scope().keepVariables();
        return new GuestFrame(home, variables);
    }

    @Override
    public Globals globals() {
        return globals;
    }

    @Override
    public Map<String, @Nullable Object> snapshot() {
        return new LinkedHashMap<>(plain(captured()));
    }

    @Override
    Map<String, @Nullable Object> captured() {
        return inRealm(() -> {
            Map<String, @Nullable Object> captured = new LinkedHashMap<>();
            home.scope()
                    .ownSlots()
                    .forEach((name, slot) -> {
                        if (!variables.declares(name)) {
                            captured.put(name, asItIsNow(slot));
                        }
                    });
            String noName = home.realm().dialect().noName();
            for (String name : variables.names()) {
                if (!name.equals(noName) && variables.binds(name) && !isFallback(name)) {
                    captured.put(name, slotOf(valueOf(name)));
                }
            }
            return captured;
        });
    }

    private @Nullable Object asItIsNow(Slot slot) {
        return slot.guest(home.realm()) instanceof Value value ? slotOf(value) : slot.host();
    }

    private Slot slotOf(Value value) {
        Slot settled = Slot.settled(value, home);
        return settled == null ? new Slot.OfGuest(value, home) : settled;
    }

    @Override
    Map<String, @Nullable Object> plain(Map<String, @Nullable Object> captured) {
        return this.<Map<String, @Nullable Object>>inRealm(() -> {
            Map<String, @Nullable Object> plain = new LinkedHashMap<>();
            captured.forEach((name, value) -> {
                try {
                    plain.put(name, Slot.of(value).host());
                } catch (ConversionException e) {
                    throw e.in(name);
                }
            });
            return Collections.unmodifiableMap(plain);
        });
    }

    @Override
    public void push(Map<String, ? extends @Nullable Object> bindings) {
        inRealm(() -> {
            Push.into(new GuestLocals(home, variables, code()), bindings);
            return true;
        });
    }

    /** Blocks of this frame run where those of the caller's frame do. */
    @Override
    Frame tenant(BlockEngine engine) {
        return engine == home.realm().engine() ? home.frame().tenant(engine) : this;
    }

    /** Whether the frame's variables are values of a realm. */
    boolean isIn(@Nullable Realm realm) {
        return realm == home.realm();
    }

    /**
     * Looks up what a name means where no captured value does. A variable that had no value when a
     * block was captured is seen as it is now; it hides the names behind it all the same.
     */
    @Nullable Binding findBehind(String name) {
        return variables.declares(name) && !isFallback(name)
                ? ofVariable(name)
                : home.scope().findForGuest(name);
    }

    private @Nullable Binding ofVariable(String name) {
        Object value = variables.read(name);
        return value == null ? null : new Binding(home.realm().asValue(value));
    }

    @Nullable Object toHost(@Nullable Object guest) {
        return GuestToHost.convert(home.realm().asValue(guest), home);
    }

    /** Does something with guest values, on the thread that has the turn, as a call does. */
    <T extends @Nullable Object> T inRealm(Supplier<T> work) {
        Realm realm = home.realm();
        realm.requireUsable(this::toString);
        return realm.exclusively(() -> {
            try (Run _ = Run.ofCall(home)) {
                return realm.entered(work);
            }
        });
    }

    /** Whether a variable is a parameter in which the block keeps what it found behind its own. */
    private boolean isFallback(String name) {
        Map<String, @Nullable Object> found = home.scope().resolved();
        return found.containsKey(name)
                && variables.binds(name)
                && home.realm().asValue(found.get(name)).equals(valueOf(name));
    }

    private Value valueOf(String name) {
        return home.realm().asValue(Objects.requireNonNull(variables.read(name)));
    }

    @Override
    public String toString() {
        return "Frame[%s:%d %s]".formatted(code().file(), code().firstLine(), code().name());
    }
}
