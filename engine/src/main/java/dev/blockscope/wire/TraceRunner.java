package dev.blockscope.wire;

import static com.google.common.base.Preconditions.checkState;

import dev.blockscope.Block;
import dev.blockscope.Lending;
import dev.blockscope.SharedUse;
import dev.blockscope.StopSignal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Runs traces that come from elsewhere, next to the computation that they are of. */
final class TraceRunner {
    private final EnvelopeRunner settings;

    TraceRunner(EnvelopeRunner settings) {
        this.settings = settings;
    }

    /**
     * Runs all traces of a job, as one session: what blocks of a frame bind in one of them, those
     * of the next see. Nothing is left of it here.
     *
     * @return the outcome
     */
    byte[] run(TraceJob job, StopSignal signal, Consumer<byte[]> said) {
        return Lending.during(() -> runAll(job, signal, said));
    }

    private byte[] runAll(TraceJob job, StopSignal signal, Consumer<byte[]> said) {
        TraceHost host = host(job.computation());
        List<Block> blocks = saying(job.capture(settings.engine(), settings.limits()), said);
        // Longer than the traces' own use of what the blocks share, which then ends nothing.
        try (var _ = SharedUse.of(blocks)) {
            List<TraceOutcome.Ended> ended = new ArrayList<>();
            for (TraceJob.OfTrace trace : job.traces()) {
                TraceRequest request = job.request(trace, blocks);
                Traced<?> traced = host.trace(request, signal);
                checkState(
                        traced.blocks().size() == request.invokes().size(),
                        "the computation \"%s\" came to the results of %s blocks, and was given %s",
                        job.computation(),
                        traced.blocks().size(),
                        request.invokes().size());
                ended.add(new TraceOutcome.Ended(request, traced));
            }
            return TraceOutcome.write(ended, settings.vocabulary());
        } catch (TraceOutcome.UnsendableResult e) {
            return failure(EnvelopeRunner.unsendable(e.reason(), e.block()));
        } catch (UnsendableException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return failure(e);
        } catch (Exception e) {
            // The block's own, or that of the computation, which is told as such.
            return failure(e);
        }
    }

    private byte[] failure(Exception e) {
        return Outcome.of(e, settings.vocabulary());
    }

    private static List<Block> saying(List<Block> blocks, Consumer<byte[]> said) {
        List<Block> saying = new ArrayList<>();
        for (int i = 0; i < blocks.size(); i++) {
            saying.add(blocks.get(i).withOutput(WireOutput.to(said, i)));
        }
        return saying;
    }

    /** Returns what a computation says of itself, as an outcome. */
    byte[] describe(String computation) {
        Object description = host(computation).describe();
        return EnvelopeFormat.write(
                settings.vocabulary(),
                3,
                (out, values) -> {
                    out.writeFieldName("value");
                    values.write(description, ValuePath.of("the description"));
                    out.writeFieldName("bindings");
                    out.writeStartObject(description, 0);
                    out.writeEndObject();
                });
    }

    private TraceHost host(String computation) {
        TraceHost host = settings.vocabulary().computation(computation);
        if (host == null) {
            throw DispatchException.noSuchModel(computation, settings.vocabulary().computations());
        }
        return host;
    }
}
