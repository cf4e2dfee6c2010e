package dev.blockscope;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** What blocks say goes to the log, unless somebody wants it. */
final class LoggedOutput implements OutputListener {
    static final OutputListener INSTANCE = new LoggedOutput();

    private static final Logger LOG = LoggerFactory.getLogger("dev.blockscope.output");

    private LoggedOutput() {}

    @Override
    public void print(OutputLine line) {
        LOG.atLevel(levelOf(line)).log("{}:{}: {}", line.file(), line.line(), line.text());
    }

    @Override
    public void progress(double done, double total) {
        LOG.debug("{} of {}", done, total);
    }

    private static Level levelOf(OutputLine line) {
        return switch (line.level()) {
            case DEBUG -> Level.DEBUG;
            case INFO -> Level.INFO;
            case WARN -> Level.WARN;
            case ERROR -> Level.ERROR;
        };
    }
}
