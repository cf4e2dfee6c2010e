package dev.blockscope.interleave;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.BlockEngine;
import dev.blockscope.BlockException;
import dev.blockscope.Frame;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class EnvoyTest {
    private static final HookPoints POINTS =
            HookPoints.of(
                    List.of(
                            "embeddings.output",
                            "encoder.layer.0.output",
                            "encoder.layer.1.attention.output",
                            "encoder.layer.1.output",
                            "output"));

    private BlockEngine engine;

    @BeforeAll
    void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    void close() {
        engine.close();
    }

    private Object evaluate(String text) {
        Map<String, Object> locals = new HashMap<>(Map.of("model", Envoy.of(POINTS)));
        return engine.capture(text, Frame.of(locals)).evaluate().value();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    Object.keys(model).join()                         | embeddings,encoder,output
                    model.encoder.layer.length                        | 2
                    [...model.encoder.layer].length                   | 2
                    Object.keys(model.encoder.layer[1]).join()        | attention,output
                    model.encoder.layer.map(l => Object.keys(l).length).join() | 1,2
                    typeof model.then                                 | undefined
                    'encoder' in model                                | true
                    """)
    void showsTheTreeToTheBlock(String text, String expected) {
        assertThat(evaluate(text)).asString().isEqualTo(expected);
    }

    @Test
    void printsAsATree() {
        assertThat(Envoy.of(POINTS))
                .hasToString(
                        """
                        embeddings
                          output
                        encoder
                          layer
                            0
                              output
                            1
                              attention
                                output
                              output
                        output\
                        """);
        assertThat(evaluate("'' + model")).isEqualTo(Envoy.of(POINTS).toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    model.encodr              | encodr                 | encoder
                    model.encoder.layer[7]    | encoder.layer.7        | encoder.layer.0
                    model.encoder.layer[1].atention.output | encoder.layer.1.atention | encoder.layer.1.attention
                    """)
    void aMisspeltNameIsAnErrorWithTheNearest(String text, String asked, String nearest) {
        assertThatThrownBy(() -> evaluate(text))
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("there is no hook point \"" + asked + "\"")
                .hasMessageContaining(nearest);
    }

    @Test
    void onlyAPointCanBeAssigned() {
        assertThatThrownBy(() -> evaluate("model.encoder = 1"))
                .isInstanceOf(BlockException.class)
                .hasMessageContaining("there is no hook point \"encoder\"");
    }
}
