package dev.blockscope.pekko;

import dev.blockscope.OutputLine;
import dev.blockscope.OutputListener;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Keeps the lines that a block says, and how far it was among them. */
final class Heard implements OutputListener {
    final List<String> all = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void print(OutputLine line) {
        all.add(line.text());
    }

    @Override
    public void progress(double done, double total) {
        all.add("%.0f of %.0f".formatted(done, total));
    }
}
