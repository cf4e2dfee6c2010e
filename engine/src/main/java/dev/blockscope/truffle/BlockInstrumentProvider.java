package dev.blockscope.truffle;

import com.oracle.truffle.api.instrumentation.TruffleInstrument;
import com.oracle.truffle.api.instrumentation.provider.TruffleInstrumentProvider;
import java.util.Collection;
import java.util.List;

/** Makes the instrument known to polyglot engines, from the class path and the module path. */
@TruffleInstrument.Registration(
        id = BlockInstrument.ID,
        name = "Blockscope",
        services = GuestAccess.class)
public final class BlockInstrumentProvider extends TruffleInstrumentProvider {
    /** Called by the service loader. */
    public BlockInstrumentProvider() {}

    @Override
    protected String getInstrumentClassName() {
        return BlockInstrument.class.getName();
    }

    @Override
    protected Object create() {
        return new BlockInstrument();
    }

    @Override
    protected Collection<String> getServicesClassNames() {
        return List.of(GuestAccess.class.getName());
    }
}
