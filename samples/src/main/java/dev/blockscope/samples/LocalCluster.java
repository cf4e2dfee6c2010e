package dev.blockscope.samples;

import static java.util.Objects.requireNonNull;

import com.google.common.io.MoreFiles;
import com.google.common.io.RecursiveDeleteOption;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A gateway and workers with one model, in JVMs of their own on this machine. */
final class LocalCluster implements AutoCloseable {
    private final Map<String, NodeProcess> workers = new LinkedHashMap<>();
    private final Path temporary;
    private final NodeProcess gateway;
    private final URI door;

    /**
     * Starts all, and waits until they are ready.
     *
     * @param leaseMillis after how long without a beat a block is begun elsewhere
     * @param model what the workers call the model
     * @throws IOException if one does not start; then none is left
     */
    LocalCluster(int leaseMillis, String model, Path file, List<String> names, int slots)
            throws IOException {
        temporary = Files.createTempDirectory("blockscope-cluster-");
        gateway =
                NodeProcess.start(
                        temporary, Gateway.class, List.of("--lease", String.valueOf(leaseMillis)));
        try {
            String address = gateway.await("gateway ");
            door = URI.create(gateway.await("door "));
            for (String name : names) {
                workers.put(name, worker(address, name, slots, model + "=" + file));
            }
            for (NodeProcess worker : workers.values()) {
                worker.await("ready");
            }
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private NodeProcess worker(String address, String name, int slots, String model)
            throws IOException {
        return NodeProcess.start(
                temporary,
                Worker.class,
                List.of(
                        address,
                        "--name",
                        name,
                        "--slots",
                        String.valueOf(slots),
                        "--wait",
                        "60",
                        "--model",
                        model));
    }

    /** Returns the address for authors. */
    URI door() {
        return door;
    }

    /** Ends a worker as a crash does. */
    void kill(String worker) {
        requireNonNull(workers.get(worker), worker).kill();
    }

    /** Ends all, those first that leave, and removes what one that was killed has left. */
    @Override
    public synchronized void close() throws IOException {
        workers.values().forEach(NodeProcess::terminate);
        workers.values().forEach(NodeProcess::close);
        gateway.close();
        if (Files.exists(temporary)) {
            MoreFiles.deleteRecursively(temporary, RecursiveDeleteOption.ALLOW_INSECURE);
        }
    }
}
