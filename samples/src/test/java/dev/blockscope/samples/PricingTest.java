package dev.blockscope.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PricingTest {
    @TempDir private Path folder;
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void blocksInspectChangeAndVeto() {
        assertThat(run()).isZero();
        assertThat(err.toString()).isEmpty();
        assertThat(out.toString())
                .contains(
                        """
                        Ada, DE
                            608.69 instead of 641.41
                            pushed {note=a loyal customer, amounts=[420, 130], total=608.685}
                        """)
                .contains(
                        """
                        Blaise, CH
                            396.00 instead of 428.08
                            pushed {note=nothing special, amounts=[396], total=396}
                        """)
                .contains(
                        """
                        Carl, FR
                            vetoed by veto.js:2: 11250 is more than 5000
                            pushed {note=nothing special, amounts=[11250]}
                        """);
    }

    @Test
    void theReportTellsWhatBecameOfEachBlock() {
        run();
        assertThat(out.toString())
                .contains(
                        """
                            inspect.js:1
                              served    line.amount (2 visits); total
                              dropped   note
                            loyalty.js:1
                              served    discount.inputs; discount.output
                            export.js:1
                            veto.js:1
                              served    net
                        """)
                .contains("unserved  total, visit 0: the computation was stopped")
                .contains("stopped by veto.js:2");
    }

    @Test
    void aMistakeIsShownAtItsLine() throws IOException {
        Path rule = folder.resolve("rule.js");
        Files.writeString(rule, "a = 1\npricing.totl = a\n");
        assertThat(run(rule.toString())).isEqualTo(1);
        assertThat(err.toString())
                .contains("rule.js:2", "there is no hook point \"totl\"", "pricing.totl = a", "^");
    }

    @Test
    void aMissingFileIsNamed() {
        assertThat(run("nowhere.js")).isEqualTo(2);
        assertThat(err.toString()).contains("nowhere.js");
    }

    private int run(String... files) {
        return Pricing.run(new PrintWriter(out, true), new PrintWriter(err, true), files);
    }
}
