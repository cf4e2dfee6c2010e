package dev.blockscope.samples;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A gateway or a worker in a JVM of its own, set up as this one is. It ends when it is closed, and
 * also when this JVM ends in any way: it is attached to a pipe that then ends.
 */
final class NodeProcess implements AutoCloseable {
    private static final long ENDING_SECONDS = 20;

    private final Process process;
    private final BufferedReader output;

    private NodeProcess(Process process) {
        this.process = process;
        this.output = process.inputReader();
    }

    /** Starts a node, and does not wait for it. */
    static NodeProcess start(Class<? extends NodeSample> node, String... arguments)
            throws IOException {
        return start(Path.of(System.getProperty("java.io.tmpdir")), node, List.of(arguments));
    }

    /**
     * Starts a node, and does not wait for it.
     *
     * @param temporary where its temporary files are, which stay there if it is killed
     */
    static NodeProcess start(
            Path temporary, Class<? extends NodeSample> node, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.add("-Djava.io.tmpdir=" + temporary);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), node.getName()));
        command.add("--attached");
        command.addAll(arguments);
        return new NodeProcess(
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
    }

    /**
     * Waits for a line of what the node prints that begins with a label, and returns the rest.
     *
     * @throws IOException if it ends without one
     */
    String await(String label) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.startsWith(label)) {
                return line.substring(label.length()).strip();
            }
        }
        throw new IOException(
                "a node has ended before it said \"%s\"; its own error stands above"
                        .formatted(label));
    }

    /** Ends it as a crash does. */
    void kill() {
        process.destroyForcibly();
    }

    /** Asks it to end, and leaves its input open, whose end would ask it again. */
    void terminate() {
        process.toHandle().destroy();
    }

    /** Ends its input, as when this JVM ends. */
    void detach() throws IOException {
        process.getOutputStream().close();
    }

    /** Waits for its end, and returns its exit status. */
    int awaitExit() throws InterruptedException {
        return process.waitFor();
    }

    /** Asks it to end, and waits for that. */
    @Override
    public void close() {
        terminate();
        try {
            if (!process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
