package dev.blockscope.jsr223;

import dev.blockscope.OutputLine;
import dev.blockscope.OutputLine.Level;
import dev.blockscope.OutputListener;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.function.Supplier;
import javax.script.ScriptContext;
import org.jspecify.annotations.Nullable;

/**
 * Writes what scripts say, each line at once: warnings and errors to the error writer, all else to
 * the writer.
 */
final class WrittenOutput implements OutputListener {
    private final Supplier<? extends @Nullable Writer> writer;
    private final Supplier<? extends @Nullable Writer> errorWriter;

    private WrittenOutput(
            Supplier<? extends @Nullable Writer> writer,
            Supplier<? extends @Nullable Writer> errorWriter) {
        this.writer = writer;
        this.errorWriter = errorWriter;
    }

    /** Returns an output to the writers that a context has when something is said. */
    static WrittenOutput toCurrent(Supplier<ScriptContext> context) {
        return new WrittenOutput(
                () -> context.get().getWriter(), () -> context.get().getErrorWriter());
    }

    /** Returns an output to the writers that a context has now; the context is not held. */
    static WrittenOutput to(ScriptContext context) {
        Writer writer = context.getWriter();
        Writer errorWriter = context.getErrorWriter();
        return new WrittenOutput(() -> writer, () -> errorWriter);
    }

    @Override
    public void print(OutputLine line) {
        boolean grave = line.level() == Level.WARN || line.level() == Level.ERROR;
        Writer to = (grave ? errorWriter : writer).get();
        if (to == null) {
            return;
        }
        try {
            to.write(line.text() + "\n");
            to.flush();
        } catch (IOException e) {
            throw new UncheckedIOException("what the script said cannot be written", e);
        }
    }
}
