package dev.blockscope.interleave;

import java.util.NoSuchElementException;
import org.graalvm.polyglot.proxy.ProxyIterable;
import org.graalvm.polyglot.proxy.ProxyIterator;

/**
 * The visits of a part, for a loop of the guest. Before each turn the block waits until the visit
 * begins, so that a loop ends with the last visit and what stands after it is run.
 *
 * @param to the visit behind the last, or {@link #ALL}
 */
record VisitLoop(Envoy envoy, int from, int to) implements ProxyIterable {
    static final int ALL = Integer.MAX_VALUE;

    @Override
    public Object getIterator() {
        return new Turns();
    }

    private final class Turns implements ProxyIterator {
        private int next = from;

        @Override
        public boolean hasNext() {
            if (next >= to) {
                return false;
            }
            Mediator mediator = envoy.mediator(envoy.node().path());
            if (mediator.awaitAny(envoy.node(), next)) {
                return true;
            }
            if (to != ALL) {
                mediator.endedEarly(envoy.node(), next, to);
            }
            next = to;
            return false;
        }

        @Override
        public Object getNext() {
            if (!hasNext()) {
                throw new NoSuchElementException("the loop over visits is over");
            }
            return envoy.at(next++);
        }
    }
}
