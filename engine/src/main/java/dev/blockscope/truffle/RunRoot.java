package dev.blockscope.truffle;

import com.oracle.truffle.api.Assumption;
import com.oracle.truffle.api.CompilerDirectives;
import com.oracle.truffle.api.CompilerDirectives.CompilationFinal;
import com.oracle.truffle.api.ContextThreadLocal;
import com.oracle.truffle.api.RootCallTarget;
import com.oracle.truffle.api.exception.AbstractTruffleException;
import com.oracle.truffle.api.frame.VirtualFrame;
import com.oracle.truffle.api.interop.InteropException;
import com.oracle.truffle.api.interop.InteropLibrary;
import com.oracle.truffle.api.nodes.DirectCallNode;
import com.oracle.truffle.api.nodes.ExplodeLoop;
import com.oracle.truffle.api.nodes.Node;
import com.oracle.truffle.api.nodes.RootNode;
import java.util.ArrayList;
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

    /** What takes the variables; null before the second run: many texts never have one. */
    @Child private @Nullable Taking taking;

    /** Whether a run has shown which variables there are; threads that miss it do no harm. */
    private boolean hasRun;

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

    /** Takes the variables. Returns false if they are not those it knows. */
    private boolean take(Harvest run, Object[] arguments) {
        Object scope = run.endScope();
        if (scope == null || run.readsAll()) {
            return false;
        }
        Taking known = taking;
        if (known == null) {
            CompilerDirectives.transferToInterpreterAndInvalidate();
            known = new Taking(assignableIn(scope), parameters, hasRun);
            if (hasRun) {
                taking = insert(known);
            }
            hasRun = true;
        }
        return known.take(run, scope, arguments);
    }

    private String[] assignableIn(Object scope) {
        List<String> assignable = new ArrayList<>(Harvest.namesIn(scope));
        assignable.removeAll(plan.untouched());
        assignable.sort(plan.order());
        return assignable.toArray(String[]::new);
    }

    /**
     * Reads the variables that the body may assign; a text without direct eval always has the same.
     * The others are what was given, and need not be read.
     *
     * <p>It is whole when it is made: threads in several contexts may run the text at once.
     */
    private static final class Taking extends Node {
        @CompilationFinal(dimensions = 1)
        private final String[] names;

        /** For each name, the position of the parameter, or -1. */
        @CompilationFinal(dimensions = 1)
        private final int[] positions;

        /** One for each name: a shared one would see too many names to keep one of them in mind. */
        @Children private final InteropLibrary[] readers;

        /**
         * Creates one.
         *
         * @param stays whether it is for more than one run, and is inserted
         */
        Taking(String[] names, List<String> parameters, boolean stays) {
            this.names = names;
            this.positions = new int[names.length];
            this.readers = new InteropLibrary[names.length];
            for (int i = 0; i < names.length; i++) {
                positions[i] = parameters.indexOf(names[i]);
                readers[i] =
                        stays
                                ? InteropLibrary.getFactory().createDispatched(2)
                                : InteropLibrary.getUncached();
            }
        }

        /** Takes the variables by name. Returns false if there are others. */
        @ExplodeLoop
        boolean take(Harvest run, Object scope, Object[] arguments) {
            Variable[] taken = new Variable[names.length];
            try {
                for (int i = 0; i < names.length; i++) {
                    Object value = readers[i].readMember(scope, names[i]);
                    Object given = positions[i] < 0 ? null : arguments[positions[i]];
                    taken[i] =
                            Variable.of(
                                    names[i], value, positions[i] >= 0, given, run.longestText());
                }
            } catch (InteropException | AbstractTruffleException e) {
                return false;
            }
            run.take(taken);
            return true;
        }
    }
}
