/**
 * Blocks that run on other JVMs: a {@link dev.blockscope.pekko.Gateway} keeps the queues, a {@link
 * dev.blockscope.pekko.Worker} beside a model runs what it is given.
 *
 * <p>Between them is Apache Pekko Cluster, which knows who is there, and a protocol of leases: a
 * slot of a worker gets one block at a time and beats while it runs it. A block whose beats stop is
 * given to another slot.
 */
@NullMarked
package dev.blockscope.pekko;

import org.jspecify.annotations.NullMarked;
