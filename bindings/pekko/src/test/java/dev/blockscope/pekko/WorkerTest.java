package dev.blockscope.pekko;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.blockscope.BlockEngine;
import dev.blockscope.BlockSource;
import dev.blockscope.Frame;
import dev.blockscope.Limits;
import dev.blockscope.wire.DispatchException;
import dev.blockscope.wire.Dispatcher;
import dev.blockscope.wire.EnvelopeRunner;
import dev.blockscope.wire.Vocabulary;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A worker in the JVM of its gateway. */
@Timeout(60)
final class WorkerTest {
    private static final Object MODEL = new Object();

    @Test
    void namesThatNoGatewayKeepsAreToldWhereItIsMade() {
        try (BlockEngine engine = BlockEngine.create()) {
            Worker.Builder builder =
                    Worker.builder("127.0.0.1:1")
                            .name("w".repeat(Message.MOST_TEXT + 1))
                            .runner(new EnvelopeRunner(engine, Vocabulary.EMPTY, Limits.NONE));
            assertThatThrownBy(builder::start)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("have 65537 characters, and no more than 65536 are");
        }
    }

    /** An outcome that names the model can be measured only by who knows that name. */
    @Test
    void eachOfItsModelsHasAVocabularyOfItsOwn() throws Exception {
        Vocabulary known = Vocabulary.builder().reference("known", MODEL).build();
        try (BlockEngine engine = BlockEngine.create();
                BlockEngine elsewhere = BlockEngine.create();
                Gateway gateway = Gateway.builder().start();
                Worker worker =
                        Worker.builder(gateway.address())
                                .largest(100_000)
                                .model("first", new EnvelopeRunner(elsewhere, known, Limits.NONE))
                                .model(
                                        "second",
                                        new EnvelopeRunner(
                                                elsewhere, Vocabulary.EMPTY, Limits.NONE))
                                .start()) {
            worker.ready().get();
            Map<String, Object> locals = new HashMap<>(Map.of("known", MODEL));
            String text = "kept = known; big = 'x'.repeat(200000); 0";
            try (Dispatcher dispatcher = Dispatcher.over(gateway.carrier("ann"), known)) {
                assertThatThrownBy(() ->
                                dispatcher
                                        .toModel("first")
                                        .submit(
                                                engine.capture(
                                                        BlockSource.javaScript(text, "rules.js"),
                                                        Frame.of(locals)))
                                        .future()
                                        .get())
                        .hasCauseInstanceOf(DispatchException.class)
                        .hasMessageContaining("of which 'big' is 200");
            }
        }
    }
}
