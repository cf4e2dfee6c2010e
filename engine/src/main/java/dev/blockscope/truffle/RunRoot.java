package dev.blockscope.truffle;

import com.oracle.truffle.api.Assumption;
import com.oracle.truffle.api.CompilerDirectives;
import com.oracle.truffle.api.CompilerDirectives.CompilationFinal;
import com.oracle.truffle.api.CompilerDirectives.TruffleBoundary;
import com.oracle.truffle.api.ContextThreadLocal;
import com.oracle.truffle.api.RootCallTarget;
import com.oracle.truffle.api.exception.AbstractTruffleException;
import com.oracle.truffle.api.frame.VirtualFrame;
import com.oracle.truffle.api.interop.InteropException;
import com.oracle.truffle.api.interop.InteropLibrary;
import com.oracle.truffle.api.nodes.DirectCallNode;
import com.oracle.truffle.api.nodes.ExplodeLoop;
import com.oracle.truffle.api.nodes.RootNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs a parsed text and takes its variables, all in one piece of compiled code: from outside every
 * variable would cost a crossing of its own.
 *
 * <p>The variables are read after the body has returned, when the microtasks have run too.
 */
final class RunRoot extends RootNode {
    private final List<String> parameters;
    private final ParsePlan plan;
    private final ContextThreadLocal<CurrentRun> current;

    /** Whether functions of the text must find the run. */
    private final boolean watched;

    /** Valid as long as no function asks which run it is in. */
    private final Assumption nothingFollowed;

    /** Valid as long as no run of the engine was ever counted. */
    private final Assumption uncounted;

    @Child private DirectCallNode body;

    /** One for each name: a shared one would see too many names to keep any of them in mind. */
    @Children private InteropLibrary[] readers = {};

    /**
     * The names of the body's variables that it may assign; a text without direct eval always has
     * the same. The others are what was given, and need not be read.
     */
    @CompilationFinal(dimensions = 1)
    private String @Nullable [] names;

    /** For each name, the position of the parameter, or -1. */
    @CompilationFinal(dimensions = 1)
    private int[] positions = {};

    /**
     * Creates the root of one text.
     *
     * @param current where the text's functions find the run
     * @param nothingFollowed holds as long as no function asks which run it is in
     * @param uncounted holds as long as no run has a meter
     */
    RunRoot(
            RootCallTarget text,
            ParsePlan plan,
            ContextThreadLocal<CurrentRun> current,
            Assumption nothingFollowed,
            Assumption uncounted) {
        super(null);
        this.current = current;
        this.nothingFollowed = nothingFollowed;
        this.watched = !plan.watched().isEmpty();
        this.uncounted = uncounted;
        this.parameters = plan.arguments();
        this.plan = plan;
        this.body = DirectCallNode.create(text);
    }

    @Override
    public boolean isInternal() {
        return true;
    }

    @Override
    protected boolean isInstrumentable() {
        return false;
    }

    @Override
    public Object execute(VirtualFrame frame) {
        Object[] arguments = frame.getArguments();
        Harvest run = (Harvest) arguments[arguments.length - 1];
        run.begin(arguments);
        Object result;
        try {
            result =
                    watched || !nothingFollowed.isValid() || !uncounted.isValid()
                            ? called(current.get(), run, arguments)
                            : body.call(arguments);
        } catch (Throwable e) {
            run.refresh();
            throw e;
        }
        run.result(result);
        if (plan.changingNames() || !take(run, arguments)) {
            CompilerDirectives.transferToInterpreter();
            run.refresh();
        }
        return true;
    }

    private Object called(CurrentRun here, Harvest run, Object[] arguments) {
        Harvest outer = here.run;
        Object outerOrigin = here.origin;
        here.run = watched ? run : outer;
        here.origin = run.origin();
        Meter outerMeter = here.meter;
        here.meter = run.meter();
        try {
            return body.call(arguments);
        } finally {
            here.run = outer;
            here.origin = outerOrigin;
            here.meter = outerMeter;
        }
    }

    /** Takes the variables by name. Returns false if they are not those it knows. */
    @ExplodeLoop
    private boolean take(Harvest run, Object[] arguments) {
        Object scope = run.endScope();
        if (scope == null || run.readsAll()) {
            return false;
        }
        String[] known = names;
        if (known == null) {
            CompilerDirectives.transferToInterpreterAndInvalidate();
            known = learn(scope);
        }
        Variable[] taken = new Variable[known.length];
        try {
            for (int i = 0; i < known.length; i++) {
                Object value = readers[i].readMember(scope, known[i]);
                Object given = positions[i] < 0 ? null : arguments[positions[i]];
                taken[i] = Variable.of(known[i], value, positions[i] >= 0, given);
            }
        } catch (InteropException | AbstractTruffleException e) {
            return false;
        }
        run.take(taken);
        return true;
    }

    @TruffleBoundary
    private String[] learn(Object scope) {
        List<String> assignable = new ArrayList<>(Harvest.namesIn(scope));
        assignable.removeAll(plan.untouched());
        assignable.sort(plan.order());
        String[] found = assignable.toArray(String[]::new);
        positions = new int[found.length];
        for (int i = 0; i < found.length; i++) {
            positions[i] = parameters.indexOf(found[i]);
        }
        InteropLibrary[] fresh = new InteropLibrary[found.length];
        Arrays.setAll(fresh, i -> InteropLibrary.getFactory().createDispatched(2));
        readers = insert(fresh);
        names = found;
        return found;
    }
}
