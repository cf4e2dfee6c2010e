package dev.blockscope.wire;

import static java.util.Objects.requireNonNull;

import dev.blockscope.Block;
import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.BlockSource;
import dev.blockscope.Limits;
import dev.blockscope.StopSignal;
import dev.blockscope.Traceback;
import java.util.List;
import java.util.function.Consumer;

/**
 * Runs blocks that come as bytes and hands out what they come to as bytes: the part of a {@link
 * Carrier} that is where the models are. Safe for use by many threads, on each of which it runs one
 * block at a time.
 *
 * @param engine runs the blocks
 * @param vocabulary what their values may name
 * @param limits what a block may take at most, whatever its envelope allows
 * @since 0.1
 */
public record EnvelopeRunner(BlockEngine engine, Vocabulary vocabulary, Limits limits)
        implements JobRunner {
    /** Checks that nothing is null. */
    public EnvelopeRunner {
        requireNonNull(engine, "engine");
        requireNonNull(vocabulary, "vocabulary");
        requireNonNull(limits, "limits");
    }

    /**
     * Runs a block on this thread, and returns what it came to. That the envelope cannot be read or
     * the result not be written is an outcome like any other.
     *
     * @param envelope the block, as {@link Envelope#toBytes} gives it
     * @param signal stops the run
     * @param said is given each line that the block says, as {@link Carrier.Receiver#said} takes it
     * @return the outcome, as {@link Carrier.Receiver#ended} takes it
     */
    @Override
    public byte[] run(byte[] envelope, StopSignal signal, Consumer<byte[]> said) {
        Envelope read;
        try {
            read = Envelope.read(envelope, vocabulary);
        } catch (EnvelopeException e) {
            return Outcome.refusal(String.valueOf(e.getMessage()));
        }
        try {
            Block block =
                    read.capture(engine)
                            .within(WireLimits.strictest(read.limits(), limits))
                            .withOutput(line -> said.accept(WireOutput.write(line)));
            return Outcome.of(block.evaluate(signal), vocabulary);
        } catch (BlockException e) {
            return Outcome.of(e);
        } catch (UnsendableException e) {
            return Outcome.of(unsendable(e, read.source()));
        } catch (IllegalArgumentException | IllegalStateException e) {
            return Outcome.refusal(String.valueOf(e.getMessage()));
        }
    }

    /** Of a result that cannot travel the user is told at the block, as of any other failure. */
    private static BlockException unsendable(UnsendableException e, BlockSource block) {
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
