package dev.blockscope;

import static java.util.Objects.requireNonNull;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.collect.MapMaker;
import com.google.common.util.concurrent.UncheckedExecutionException;
import dev.blockscope.truffle.BlockInstrument;
import dev.blockscope.truffle.GuestAccess;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Engine;
import org.graalvm.polyglot.HostAccess;
import org.graalvm.polyglot.Instrument;

/**
 * Captures blocks and owns all that running them takes.
 *
 * {@snippet :
 * try (BlockEngine engine = BlockEngine.create()) {
 *     Map<String, Object> locals = new HashMap<>(Map.of("price", 3, "quantity", 4));
 *     Block block = engine.capture("total = price * quantity", Frame.of(locals));
 *     block.run();
 *     locals.get("total"); // 12
 * }
 * }
 *
 * <p>An engine may be used from many threads. What blocks return and push is plain Java and
 * outlives it; functions that blocks made do not.
 *
 * @since 0.1
 */
public final class BlockEngine implements AutoCloseable {
    /** Texts whose analysis is kept; a text beyond them is parsed again when it is captured. */
    private static final int KNOWN_TEXTS = 10_000;

    private final Engine engine;
    private final GuestAccess guest;
    private final Realm analyst;
    private final Cache<TextKey, Analysis> analyses =
            CacheBuilder.newBuilder().maximumSize(KNOWN_TEXTS).build();
    private final Set<Realm> realms =
            Collections.newSetFromMap(new MapMaker().weakKeys().makeMap());
    private volatile boolean closed;

    private BlockEngine() {
        this.engine =
                Engine.newBuilder(BlockSource.JAVASCRIPT)
                        .option("engine.WarnInterpreterOnly", "false")
                        .build();
        this.guest = guestOf(engine);
        guest.onDelete(Run::deleted);
        this.analyst = newRealm();
    }

    /**
     * Creates an engine.
     *
     * @throws IllegalStateException if the guest language or our instrument cannot be found
     */
    public static BlockEngine create() {
        return new BlockEngine();
    }

    /**
     * Captures JavaScript text in a frame, as a file of its own.
     *
     * @throws BlockException if the text does not parse
     * @throws IllegalStateException if the engine is closed
     */
    public Block capture(String text, Frame frame) {
        FrameCode code = frame.code();
        return capture(
                BlockSource.javaScript(text, code.file()).startingAt(code.firstLine(), 1), frame);
    }

    /**
     * Captures a text in a frame: parses it and takes a snapshot of the frame's locals.
     *
     * @throws BlockException if the text does not parse, with the place; nothing runs
     * @throws IllegalStateException if the engine is closed
     */
    public Block capture(BlockSource source, Frame frame) {
        requireNonNull(source, "source");
        requireNonNull(frame, "frame");
        requireOpen();
        return new Block(this, source, frame, analysisOf(source));
    }

    /** Returns whether guest code is compiled to machine code. */
    public boolean isCompiled() {
        return !engine.getImplementationName().equals("Interpreted");
    }

    /** Returns the runtime in one line: its name, its version, and whether it compiles. */
    public String runtime() {
        return isCompiled()
                ? "%s %s, guest code is compiled"
                        .formatted(engine.getImplementationName(), engine.getVersion())
                : "GraalVM %s, guest code is interpreted; start Java with JVMCI and the Graal compiler on the upgrade module path to compile it"
                        .formatted(engine.getVersion());
    }

    /**
     * Ends every block that runs and frees everything. Closing twice does nothing. A block that was
     * running fails as cancelled.
     */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        realms.forEach(Realm::close);
        engine.close(true);
    }

    Realm newRealm() {
        requireOpen();
        Context context =
                Context.newBuilder(BlockSource.JAVASCRIPT)
                        .engine(engine)
                        .allowHostAccess(ACCESS)
                        .build();
        Realm realm = new Realm(this, context, guest);
        realms.add(realm);
        return realm;
    }

    private static final HostAccess ACCESS =
            HostAccess.newBuilder(HostAccess.EXPLICIT).allowBufferAccess(true).build();

    private Analysis analysisOf(BlockSource source) {
        try {
            return analyses.get(
                    new TextKey(source.language(), source.text()),
                    () -> analyst.exclusively(() -> analyse(source)));
        } catch (UncheckedExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        } catch (ExecutionException e) {
            throw new AssertionError("an analysis throws no checked exception", e);
        }
    }

    private Analysis analyse(BlockSource source) {
        return new Analysis(
                source.text(),
                analyst.namesOf(source),
                name -> analyst.exclusively(() -> analyst.parsesWith(source, name)));
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the engine is closed; create another one");
        }
    }

    private static GuestAccess guestOf(Engine engine) {
        Instrument instrument = engine.getInstruments().get(BlockInstrument.ID);
        if (instrument == null) {
            engine.close();
            throw new IllegalStateException(
                    "the \"%s\" instrument was not found; blockscope-engine must be a whole jar with its META-INF/services, or a module of the application"
                            .formatted(BlockInstrument.ID));
        }
        return instrument.lookup(GuestAccess.class);
    }

    private record TextKey(String language, String text) {}
}
