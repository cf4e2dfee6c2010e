package dev.blockscope.truffle;

import com.oracle.truffle.api.CompilerDirectives;
import com.oracle.truffle.api.frame.VirtualFrame;
import com.oracle.truffle.api.interop.InteropException;
import com.oracle.truffle.api.interop.InteropLibrary;
import com.oracle.truffle.api.nodes.RootNode;
import java.util.Arrays;

/** Runs a text whose variables are the members of an object that the guest makes for each run. */
final class NamespaceRoot extends RootNode {
    private final Object open;
    private final Object body;
    @Child private InteropLibrary opens;
    @Child private InteropLibrary runs;

    NamespaceRoot(Object open, Object body) {
        super(null);
        this.open = open;
        this.body = body;
        this.opens = InteropLibrary.getFactory().create(open);
        this.runs = InteropLibrary.getFactory().create(body);
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
        try {
            Object namespace = opens.execute(open, Arrays.copyOf(arguments, arguments.length - 1));
            run.opened(namespace);
            run.result(runs.execute(body, namespace));
        } catch (InteropException e) {
            throw CompilerDirectives.shouldNotReachHere(
                    "the functions of a text take their arguments", e);
        } finally {
            run.refresh();
        }
        return true;
    }
}
