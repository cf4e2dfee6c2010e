package dev.blockscope;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.Map;
import java.util.function.Consumer;
import org.graalvm.polyglot.Value;
import org.jspecify.annotations.Nullable;

/**
 * A guest function as its source: a program whose value it is, and the variables that it closes
 * over. As a value of a block's snapshot it is that function again, made anew in the realm where
 * the block runs.
 *
 * <p>It is the same function for all blocks of one frame, which see what its calls do to its
 * variables. Two of them are equal only if they are one object.
 *
 * @since 0.1
 */
public final class FunctionSource {
    private final BlockSource program;
    private final Map<String, @Nullable Object> variables;

    /**
     * Creates the source of a function.
     *
     * @param program a text whose value is the function, and which declares the variables; it is
     *     held to the limits of the block that first uses the function
     * @param variables their values, which may be other functions. The map is kept and not copied,
     *     so that functions may close over each other
     */
    public FunctionSource(BlockSource program, Map<String, @Nullable Object> variables) {
        this.program = requireNonNull(program, "program");
        this.variables = Collections.unmodifiableMap(variables);
    }

    /** Returns a text whose value is the function, at the place where that was written. */
    public BlockSource program() {
        return program;
    }

    /** Returns the names that the function closes over with what they held; null is a value. */
    public Map<String, @Nullable Object> variables() {
        return variables;
    }

    /**
     * Returns the function in the realm of the run that this thread is in.
     *
     * @throws IllegalArgumentException if the program's value is no function
     * @throws BlockException if the program fails
     */
    Value guest() {
        Run run = Run.current();
        if (run == null) {
            throw new IllegalStateException(
                    "%s is a function of guest code only; give it to a block".formatted(this));
        }
        Home home = run.home();
        return home.realm().madeOf(this, made -> make(home, made));
    }

    private void make(Home around, Consumer<Value> made) {
        BlockEngine engine = around.realm().engine();
        Block block =
                engine.capture(program, new ClosureFrame(around.frame(), program), Map.of())
                        .within(around.settings().limits());
        if (!(block.evaluate().value() instanceof GuestFunction function)) {
            throw new IllegalArgumentException("the value of %s is no function".formatted(this));
        }
        // Known before its variables have values: one of them may lead back to it.
        made.accept(function.value());
        Object scope = FunctionSources.variablesAround(function.value(), around.realm()).scope();
        if (scope != null) {
            Value its = around.realm().asValue(scope);
            variables.forEach((name, value) -> assign(its, name, value));
        }
    }

    private static void assign(Value scope, String name, @Nullable Object value) {
        if (scope.hasMember(name)) {
            scope.putMember(name, HostToGuest.convert(value));
        }
    }

    @Override
    public String toString() {
        return "source of a function at " + program;
    }
}
