package dev.blockscope.samples;

import static java.util.Objects.requireNonNull;

import dev.blockscope.BlockException;
import dev.blockscope.BlockSource;
import dev.blockscope.wire.DispatchException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** What samples share: how they read their arguments, print, draw and fail. */
abstract class Sample implements Callable<Integer> {
    private final String name;

    @Spec private CommandSpec command = CommandSpec.create();

    Sample(String name) {
        this.name = name;
    }

    final String name() {
        return name;
    }

    final CommandLine commandLine() {
        return withHelp(this)
                .setParameterExceptionHandler(this::refuse)
                .setExecutionExceptionHandler(this::fail);
    }

    /** Returns the command line of a sample, with the help that all samples have. */
    static CommandLine withHelp(Callable<Integer> sample) {
        CommandLine commandLine = new CommandLine(sample);
        commandLine
                .getCommandSpec()
                .addOption(
                        OptionSpec.builder("--help")
                                .usageHelp(true)
                                .description("shows this")
                                .build());
        return commandLine.setUsageHelpWidth(90);
    }

    @SuppressWarnings(
            "AnnotateFormatMethod") // the annotation would be a dependency of every sample
    final void print(String format, Object... values) {
        out().println(String.format(Locale.ROOT, format, values).stripTrailing());
    }

    private PrintWriter out() {
        return command.commandLine().getOut();
    }

    final PrintWriter err() {
        return command.commandLine().getErr();
    }

    final ParameterException wrong(String message) {
        return new ParameterException(command.commandLine(), message);
    }

    /** Returns a block that lies beside the sample. */
    static BlockSource resource(String file) throws IOException {
        try (InputStream text = requireNonNull(Sample.class.getResourceAsStream(file), file)) {
            return BlockSource.javaScript(
                    new String(text.readAllBytes(), StandardCharsets.UTF_8), file);
        }
    }

    /** Says what is wrong with the arguments in one line, and not the whole help after it. */
    private int refuse(ParameterException e, String[] args) {
        e.getCommandLine().getErr().printf("%s: %s; see --help%n", name, e.getMessage());
        return CommandLine.ExitCode.USAGE;
    }

    /**
     * A block that fails is shown with its lines, a file that cannot be read or written and a block
     * that was not run are said in one; anything else is a fault of ours.
     */
    private int fail(Exception e, CommandLine commandLine, ParseResult arguments) throws Exception {
        switch (e) {
            case BlockException block -> commandLine.getErr().println(block.traceback().render());
            case IOException file ->
                    commandLine.getErr().printf("%s: %s%n", name, file.getMessage());
            case DispatchException trace ->
                    commandLine.getErr().printf("%s: %s%n", name, trace.getMessage());
            default -> throw e;
        }
        return CommandLine.ExitCode.SOFTWARE;
    }
}
