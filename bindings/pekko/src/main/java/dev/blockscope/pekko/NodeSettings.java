package dev.blockscope.pekko;

import static com.google.common.base.Preconditions.checkArgument;
import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.google.common.net.HostAndPort;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a node of the cluster is set up: the settings that avoid Pekko's sharp edges. */
final class NodeSettings {
    /** All nodes of a cluster have it. */
    static final String SYSTEM = "blockscope";

    static final String FRAME_SIZE = "pekko.remote.artery.advanced.maximum-frame-size";

    /** Holds a parcel, or as many lines, with all that is around it. */
    static final long SMALLEST_FRAME = 2 * Parcel.LARGEST;

    private NodeSettings() {}

    /**
     * Returns the settings of a gateway.
     *
     * @param host where it listens
     * @param port 0 for any free one
     * @param tls null for none, which only a loopback address may have
     * @throws IllegalArgumentException if the host is not loopback and there is no TLS
     */
    static Config ofGateway(String host, int port, @Nullable Tls tls) {
        Map<String, Object> settings = common(host, port, tls);
        // It need not be let go: the workers will find another one, or the same again.
        settings.put("pekko.coordinated-shutdown.run-by-actor-system-terminate", "off");
        return resolved(settings);
    }

    /**
     * Returns the settings of a worker, which listens on any free port: a new one at the port of
     * one that was lost would wait for that to be forgotten.
     *
     * @param gateway the address that it joins, as {@code host:port}
     * @param patience how long it tries to join
     * @throws IllegalArgumentException if the host is not loopback and there is no TLS, or the
     *     gateway is no address
     */
    static Config ofWorker(String host, @Nullable Tls tls, String gateway, Duration patience) {
        HostAndPort address = HostAndPort.fromString(gateway);
        checkArgument(
                address.hasPort(),
                "the address \"%s\" of the gateway has no port, expected host:port",
                gateway);
        Map<String, Object> settings = common(host, 0, tls);
        settings.put(
                "pekko.cluster.seed-nodes", List.of("pekko://%s@%s".formatted(SYSTEM, address)));
        settings.put("pekko.cluster.shutdown-after-unsuccessful-join-seed-nodes", patience);
        return resolved(settings);
    }

    private static Map<String, Object> common(String host, int port, @Nullable Tls tls) {
        checkArgument(
                tls != null || isLoopback(host),
                "the address %s can be reached from other machines, where whoever reaches it runs what he likes; give the node a Tls with its certificate, or let it listen on 127.0.0.1",
                host);
        Map<String, Object> settings = new HashMap<>();
        settings.put("pekko.remote.artery.canonical.hostname", host);
        settings.put("pekko.remote.artery.canonical.port", port);
        settings.put("pekko.remote.artery.transport", tls == null ? "tcp" : "tls-tcp");
        if (tls != null) {
            String engine = "pekko.remote.artery.ssl.config-ssl-engine.";
            settings.put(engine + "key-store", tls.keyStore().toString());
            settings.put(engine + "key-store-password", tls.keyPassword());
            settings.put(engine + "key-password", tls.keyPassword());
            settings.put(engine + "trust-store", tls.trustStore().toString());
            settings.put(engine + "trust-store-password", tls.trustPassword());
        }
        return settings;
    }

    private static Config resolved(Map<String, Object> settings) {
        return requireRoom(
                ConfigFactory.systemProperties()
                        .withFallback(ConfigFactory.parseMap(settings))
                        .withFallback(ofEveryNode())
                        .withFallback(
                                ConfigFactory.defaultReference(NodeSettings.class.getClassLoader()))
                        .resolve());
    }

    /** A system property may have made frames so small that parcels are lost. */
    static Config requireRoom(Config resolved) {
        long frame = resolved.getBytes(FRAME_SIZE);
        checkArgument(
                frame >= SMALLEST_FRAME,
                "%s is %s bytes, and messages of nodes have up to %s: larger ones would be lost without a word; set it higher, or leave it",
                FRAME_SIZE,
                frame,
                SMALLEST_FRAME);
        return resolved;
    }

    /** Read here: within a module, no other one finds the file. */
    private static Config ofEveryNode() {
        try (InputStream file =
                        requireNonNull(NodeSettings.class.getResourceAsStream("node.conf"));
                Reader text = new InputStreamReader(file, UTF_8)) {
            return ConfigFactory.parseReader(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("there is no host named \"%s\"".formatted(host), e);
        }
    }
}
