package dev.blockscope.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A class that runs in a JVM like this one, to which it is bound by its input and output. */
final class JvmProcess implements AutoCloseable {
    private static final long ENDING_SECONDS = 30;

    private final Process process;
    private final BufferedReader output;
    private final Writer input;

    private JvmProcess(Process process) {
        this.process = process;
        this.output = process.inputReader();
        this.input = process.outputWriter();
    }

    static JvmProcess start(Class<?> main, String... arguments) throws IOException {
        return new JvmProcess(
                new ProcessBuilder(command(main, arguments))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start());
    }

    /** Returns what starts a class in a JVM like this one. */
    static List<String> command(Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(Arrays.asList(arguments));
        return command;
    }

    /** Returns the next line that it prints. */
    String line() throws IOException {
        String line = output.readLine();
        if (line == null) {
            throw new IOException("the process %d has ended".formatted(process.pid()));
        }
        return line;
    }

    void requireLine(String expected) throws IOException {
        String line = line();
        if (!line.equals(expected)) {
            throw new IOException("a process said \"%s\" and not \"%s\"".formatted(line, expected));
        }
    }

    void say(String line) throws IOException {
        input.write(line + "\n");
        input.flush();
    }

    /** Ends its input, by which it knows that it is to end, and does not wait for long. */
    @Override
    public void close() throws IOException {
        input.close();
        try {
            if (!process.waitFor(ENDING_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
