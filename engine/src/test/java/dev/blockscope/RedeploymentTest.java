package dev.blockscope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blockscope.redeployed.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Applications of a server that end before it does. */
@Timeout(120)
class RedeploymentTest {
    @Test
    void anApplicationThatWasStoppedIsCollectedAlthoughItsThreadGoesOn() throws Exception {
        String done = "39, 14, 42, refused";

        assertThat(OwnJvm.run(Server.class, OwnJvm.folderOfTests().toString()))
                .endsWith(done, "collected", done, "collected", done, "collected");
    }
}
