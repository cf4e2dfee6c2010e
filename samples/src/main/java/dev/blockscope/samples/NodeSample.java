package dev.blockscope.samples;

import dev.blockscope.pekko.Tls;
import dev.blockscope.wire.DispatchException;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * What the nodes of a cluster share: where they listen, whom they believe, and that they go on
 * until they are asked to end, by Ctrl-C or SIGTERM, and then end in order.
 */
abstract class NodeSample extends Sample {
    /** It could not start, because of what is around it. */
    static final int NOT_STARTED = 3;

    // The exit statuses of every node, as its help shows them.
    static final String STATUS_HEADING = "%nExit status:%n";
    static final String STATUS_FAULT = " 1:a file cannot be used, or a fault of ours";
    static final String STATUS_USAGE = " 2:wrong arguments";
    static final String STATUS_ENDED = "130, 143:ended by Ctrl-C or by SIGTERM, in order";

    private static final long CLOSING_SECONDS = 20;

    @Option(
            names = "--host",
            paramLabel = "ADDRESS",
            description = "the address of this machine (default: ${DEFAULT-VALUE})",
            defaultValue = "127.0.0.1")
    private String host = "127.0.0.1";

    @Option(
            names = "--key-store",
            paramLabel = "FILE",
            description = "PKCS #12: its own key and certificate; off loopback never without")
    private @Nullable Path keyStore;

    @Option(
            names = "--trust-store",
            paramLabel = "FILE",
            description = "PKCS #12: the certificates of the nodes it believes")
    private @Nullable Path trustStore;

    @Option(
            names = "--passwords",
            paramLabel = "FILE",
            description = "a line with the password of each of the stores")
    private @Nullable Path passwords;

    @Option(names = "--attached", hidden = true, description = "ends when its input ends")
    private boolean attached;

    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable Thread hook;

    NodeSample(String name) {
        super(name);
    }

    final String host() {
        return host;
    }

    /** Returns what it shows and whom it believes, or null if it speaks in plain text. */
    final @Nullable Tls tls() throws IOException {
        if (keyStore == null && trustStore == null && passwords == null) {
            return null;
        }
        if (keyStore == null || trustStore == null || passwords == null) {
            throw wrong("--key-store, --trust-store and --passwords go together");
        }
        List<String> lines = passwords(2);
        return new Tls(requireFile(keyStore), lines.get(0), requireFile(trustStore), lines.get(1));
    }

    /** Returns the same with other certificates that it believes. */
    final Tls trusting(@Nullable Tls tls, Path store) throws IOException {
        if (tls == null) {
            throw wrong("a store of certificates needs --key-store, --trust-store and --passwords");
        }
        return tls.trusting(requireFile(store), passwords(3).get(2));
    }

    /** Returns the passwords of the key store, the trust store, and of a third store if asked. */
    private List<String> passwords(int stores) throws IOException {
        List<String> lines =
                passwords == null ? List.of() : Files.readAllLines(requireFile(passwords));
        if (lines.size() < stores) {
            throw wrong(
                    "%s has %d lines, expected at least %d: a password for each store"
                            .formatted(passwords, lines.size(), stores));
        }
        return lines;
    }

    final Path requireFile(Path file) {
        if (!Files.isRegularFile(file)) {
            throw wrong("there is no file " + file);
        }
        return file;
    }

    @Override
    public final Integer call() throws Exception {
        try {
            serve();
            return 0;
        } catch (IllegalArgumentException e) {
            throw wrong(String.valueOf(e.getMessage()));
        } catch (DispatchException | BindException e) {
            return notStarted(e);
        } finally {
            closed.countDown();
            forgetEnding();
        }
    }

    /** Starts the node, says that it is ready, and returns when it has ended. */
    abstract void serve() throws Exception;

    /** Says why it could not start. */
    private int notStarted(Exception e) {
        err().printf("%s: %s%n", name(), e.getMessage());
        return NOT_STARTED;
    }

    /**
     * Has something done when the process is asked to end; it then waits for {@link #serve} to
     * close what it opened.
     */
    final void whenAskedToEnd(Runnable ending) {
        hook =
                Thread.ofPlatform()
                        .unstarted(() -> {
                            ending.run();
                            awaitClosed();
                        });
        Runtime.getRuntime().addShutdownHook(hook);
        if (attached) {
            Thread.ofPlatform().daemon().start(NodeSample::endWithInput);
        }
    }

    private void forgetEnding() {
        if (hook != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // It runs: this is the end.
                return;
            }
        }
    }

    private void awaitClosed() {
        try {
            if (!closed.await(CLOSING_SECONDS, TimeUnit.SECONDS)) {
                err().printf("%s: it did not close within %d s%n", name(), CLOSING_SECONDS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whoever started it, and held its input, is no more. */
    private static void endWithInput() {
        try {
            var _ = System.in.readAllBytes();
        } catch (IOException e) {
            System.err.println("the input has failed: " + e.getMessage());
        }
        System.exit(0);
    }
}
