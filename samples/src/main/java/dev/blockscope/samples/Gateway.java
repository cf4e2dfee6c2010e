package dev.blockscope.samples;

import dev.blockscope.pekko.Door;
import dev.blockscope.pekko.Terms;
import dev.blockscope.pekko.Tls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Starts the gateway of a cluster, with a door for authors. */
@Command(
        name = "samples/run gateway",
        sortOptions = false,
        description = {
            "Keeps the queues of a cluster: takes blocks from authors, who come in by its door,",
            "and gives them to workers, who join it. It prints both addresses, and \"ready\".",
            ""
        },
        exitCodeListHeading = NodeSample.STATUS_HEADING,
        exitCodeList = {
            NodeSample.STATUS_FAULT,
            NodeSample.STATUS_USAGE,
            " 3:a port is in use",
            NodeSample.STATUS_ENDED
        },
        footer = {
            "",
            "Authors are known by tokens or by certificates. --tokens names a file with a line",
            "for each: who that is, a space, and a token, which is a secret of the two of you.",
            "--certificates names a store of theirs; its password is the third of --passwords."
        })
final class Gateway extends NodeSample {
    @Option(
            names = "--port",
            paramLabel = "N",
            description = "where workers join (default: any free port)")
    private int port;

    @Option(
            names = "--door-port",
            paramLabel = "N",
            description = "where authors come in (default: any free port)")
    private int doorPort;

    @Option(names = "--tokens", paramLabel = "FILE", description = "who the authors are")
    private @Nullable Path tokens;

    @Option(
            names = "--certificates",
            paramLabel = "FILE",
            description =
                    "PKCS #12: the certificates of authors, whom they let in; not those of nodes")
    private @Nullable Path certificates;

    @Option(
            names = "--waiting",
            paramLabel = "N",
            description = "how many blocks wait for one model at most (default: ${DEFAULT-VALUE})",
            defaultValue = "10000")
    private int waiting = 10_000;

    @Option(
            names = "--share",
            paramLabel = "N",
            description = "how many of them one author has at most (default: ${DEFAULT-VALUE})",
            defaultValue = "5000")
    private int share = 5_000;

    @Option(
            names = "--lease",
            paramLabel = "MILLIS",
            description =
                    "after how long without a beat a block is begun elsewhere (default: ${DEFAULT-VALUE})",
            defaultValue = "5000")
    private int lease = 5_000;

    @Option(
            names = "--attempts",
            paramLabel = "N",
            description = "how often a block is begun at most (default: ${DEFAULT-VALUE})",
            defaultValue = "3")
    private int attempts = 3;

    Gateway() {
        super("gateway");
    }

    /** Runs the sample; {@code --help} says what the exit status tells. */
    public static void main(String[] args) {
        System.exit(new Gateway().commandLine().execute(args));
    }

    @Override
    void serve() throws Exception {
        Terms terms =
                Terms.DEFAULT
                        .leases(Duration.ofMillis(lease / 5), Duration.ofMillis(lease))
                        .attempts(attempts)
                        .queues(waiting, share);
        Tls tls = tls();
        Map<String, String> authors = authors();
        var builder = dev.blockscope.pekko.Gateway.builder().host(host()).port(port).terms(terms);
        if (tls != null) {
            builder.tls(tls);
        }
        CountDownLatch asked = new CountDownLatch(1);
        try (var gateway = builder.start();
                Door door = door(gateway, tls, authors)) {
            whenAskedToEnd(asked::countDown);
            print("gateway    %s", gateway.address());
            print("door       %s", door.address());
            print("ready");
            asked.await();
        }
    }

    private Door door(
            dev.blockscope.pekko.Gateway gateway, @Nullable Tls tls, Map<String, String> authors)
            throws IOException {
        Door.Builder door = Door.builder(gateway).host(host()).port(doorPort);
        if (certificates != null) {
            door.tls(trusting(tls, certificates)).certificates();
        } else if (tls != null) {
            door.tls(tls);
        }
        authors.forEach(door::token);
        return door.open();
    }

    /** Returns who has which token. Says of a wrong line where it is, and not what is in it. */
    private Map<String, String> authors() throws IOException {
        Map<String, String> authors = new LinkedHashMap<>();
        List<String> lines = tokens == null ? List.of() : Files.readAllLines(requireFile(tokens));
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            int space = line.indexOf(' ');
            if (space > 0) {
                authors.put(line.substring(space + 1).strip(), line.substring(0, space));
            } else if (!line.isEmpty()) {
                throw wrong(
                        "line %d of %s has no space, expected an author and a token"
                                .formatted(i + 1, tokens));
            }
        }
        return authors;
    }
}
