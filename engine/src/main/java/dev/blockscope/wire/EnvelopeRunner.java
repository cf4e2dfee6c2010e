package dev.blockscope.wire;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.Sets;
import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.BlockSource;
import dev.blockscope.Limits;
import dev.blockscope.StopSignal;
import dev.blockscope.Traceback;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Runs blocks and traces that come as bytes and hands out what they come to as bytes: the part of a
 * {@link Carrier} that is where the models are. Safe for use by many threads, on each of which it
 * runs one job at a time.
 *
 * @param engine runs the blocks
 * @param vocabulary what their values may name
 * @param limits what a block may take at most, whatever its envelope allows
 * @since 0.1
 */
public record EnvelopeRunner(BlockEngine engine, Vocabulary vocabulary, Limits limits)
        implements JobRunner {
    /** The parts of a job of any kind. */
    static final Set<String> JOBS =
            Sets.union(
                    EnvelopeFormat.NAMES,
                    Sets.union(TraceJob.NAMES, Set.of(RemoteDescription.PART)));

    /** Checks that nothing is null. */
    public EnvelopeRunner {
        requireNonNull(engine, "engine");
        requireNonNull(vocabulary, "vocabulary");
        requireNonNull(limits, "limits");
    }

    /**
     * Runs a job on this thread, and returns what it came to. That the job cannot be read or the
     * result not be written is an outcome like any other.
     *
     * @param job a block, as {@link Envelope#toBytes} gives it, or what a {@link RemoteComputation}
     *     asks for
     * @param signal stops the run
     * @param said is given what blocks say, as {@link Carrier.Receiver#said} takes it
     * @return the outcome, as {@link Carrier.Receiver#ended} takes it
     */
    @Override
    public byte[] run(byte[] job, StopSignal signal, Consumer<byte[]> said) {
        try {
            Parts parts = EnvelopeFormat.parts(job, vocabulary, JOBS);
            if (parts.has("traces")) {
                TraceJob traces = TraceJob.of(parts.only(TraceJob.NAMES));
                return new TraceRunner(this).run(traces, signal, said);
            }
            if (parts.has(RemoteDescription.PART)) {
                Parts asked = parts.only(Set.of(RemoteDescription.PART));
                return new TraceRunner(this).describe(asked.text(RemoteDescription.PART));
            }
            return run(EnvelopeFormat.envelope(parts.only(EnvelopeFormat.NAMES)), signal, said);
        } catch (BlockException e) {
            return Outcome.of(e, vocabulary);
        } catch (EnvelopeException
                | UnsendableException
                | DispatchException
                | IllegalArgumentException
                | IllegalStateException e) {
            return Outcome.refusal(String.valueOf(e.getMessage()));
        }
    }

    private byte[] run(Envelope read, StopSignal signal, Consumer<byte[]> said) {
        try {
            Block block =
                    read.capture(engine)
                            .within(WireLimits.strictest(read.limits(), limits))
                            .withOutput(WireOutput.to(said, 0));
            return Outcome.of(block.evaluate(signal), vocabulary);
        } catch (UnsendableException e) {
            return Outcome.of(unsendable(e, read.source()), vocabulary);
        }
    }

    /** Of a result that cannot travel the user is told at the block, as of any other failure. */
    static BlockException unsendable(UnsendableException e, BlockSource block) {
        Traceback.Entry whole =
                new Traceback.Entry(
                        block.file(),
                        block.line(),
                        block.column(),
                        "",
                        block.text().lines().findFirst().orElse(""),
                        block.column(),
                        Traceback.Code.BLOCK);
        return BlockException.elsewhere(
                block.language(),
                BlockException.Kind.RUNTIME,
                new Traceback(String.valueOf(e.getMessage()), List.of(whole)),
                List.of(),
                null,
                List.of(),
                null);
    }
}
