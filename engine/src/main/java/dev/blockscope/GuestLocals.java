package dev.blockscope;

import dev.blockscope.truffle.LiveScope;
import org.jspecify.annotations.Nullable;

/**
 * The variables of a frame of guest code as a push sees them: those of the line, then those of the
 * block it belongs to, and a name that is neither becomes one of the block. Values are guest
 * code's.
 */
record GuestLocals(Home home, LiveScope variables, FrameCode code) implements Locals {
    @Override
    public Object accepted(String name, @Nullable Object value) {
        Object holder = holderOf(name);
        if (holder != null && LiveScope.isConstant(holder, name)) {
            throw new IllegalArgumentException(
                    "it is a constant of the code around %s:%d"
                            .formatted(code.file(), code.firstLine()));
        }
        if (holder != null && LiveScope.isUninitialized(holder, name)) {
            throw new IllegalStateException(
                    "the code around %s:%d has not reached its declaration yet"
                            .formatted(code.file(), code.firstLine()));
        }
        return home.realm().imported(HostToGuest.convert(value));
    }

    @Override
    public Object valueOf(String name) {
        Object holder = holderOf(name);
        return holder == null
                ? home.scope().binding(name)
                : home.realm().asValue(holder).getMember(name);
    }

    @Override
    public void set(String name, @Nullable Object value) {
        if (value instanceof Scope.Before before) {
            before.restore();
            return;
        }
        Object holder = variables.scopeOf(name);
        if (holder == null) {
            home.scope().putInBlock(name, home.realm().asValue(value), home);
            return;
        }
        home.realm().asValue(holder).putMember(name, value);
    }

    @Override
    public void unset(String name) {
        throw new AssertionError("a name of a block is restored as it was");
    }

    /** Returns the guest's scope object that has a variable of this name, or null if none has. */
    private @Nullable Object holderOf(String name) {
        Object ofLine = variables.scopeOf(name);
        return ofLine == null ? home.scope().holderOf(name) : ofLine;
    }
}
