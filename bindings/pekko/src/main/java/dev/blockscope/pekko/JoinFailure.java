package dev.blockscope.pekko;

import com.google.common.net.HostAndPort;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Why a worker could not join a gateway. The cluster's own log tells only that nobody answered, so
 * the address is looked at once more: who listens there, and who believes whom.
 */
final class JoinFailure {
    private final String gateway;
    private final @Nullable Tls tls;

    private JoinFailure(String gateway, @Nullable Tls tls) {
        this.gateway = gateway;
        this.tls = tls;
    }

    /**
     * Says in a few words what is wrong and what to do.
     *
     * @param gateway the address, as {@code host:port}
     * @param tls what the worker shows and believes, or null if it speaks in plain text
     */
    static String of(String gateway, @Nullable Tls tls) {
        return new JoinFailure(gateway, tls).look();
    }

    private String look() {
        HostAndPort address = HostAndPort.fromString(gateway);
        try (Socket socket = Handshake.connected(address.getHost(), address.getPort())) {
            return tls == null ? withoutTls(socket) : withTls(socket, tls);
        } catch (IOException e) {
            return "nobody listens there (%s); start the gateway, or give the address that it tells"
                    .formatted(e.getMessage());
        }
    }

    private static String withoutTls(Socket socket) {
        return Handshake.isSpokenBy(socket)
                ? "it speaks TLS only; give the worker a Tls"
                : "who listens there is no gateway, or does not answer; give the address that it tells for workers";
    }

    private String withTls(Socket socket, Tls own) throws IOException {
        SSLSocket secure;
        try {
            secure = Handshake.with(socket, own.context());
        } catch (SSLException e) {
            return Handshake.isDisbelief(e) || Handshake.isRefusal(e)
                    ? "its certificate is none that %s knows; add it there"
                            .formatted(own.trustStore())
                    : "it does not speak TLS; start it with a Tls as well";
        }
        // Its side of the handshake ends after ours, so that a refusal comes as the first answer.
        try {
            return secure.getInputStream().read() < 0
                    ? notBelieved(own)
                    : "who listens there is no gateway; give the address that it tells for workers";
        } catch (SocketTimeoutException e) {
            return "both believe each other's certificates, and it does not answer; look at its log";
        } catch (IOException e) {
            return notBelieved(own);
        }
    }

    private static String notBelieved(Tls own) {
        return "it does not believe the certificate in %s; add that to its trust store"
                .formatted(own.keyStore());
    }
}
