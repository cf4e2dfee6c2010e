package dev.blockscope.pekko;

import com.google.common.base.Throwables;
import com.google.common.net.HostAndPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * Why a worker could not join a gateway. The cluster's own log tells only that nobody answered, so
 * the address is looked at once more: who listens there, and who believes whom.
 */
final class JoinFailure {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

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
        try (Socket socket = new Socket()) {
            int millis = Math.toIntExact(PATIENCE.toMillis());
            socket.connect(new InetSocketAddress(address.getHost(), address.getPort()), millis);
            socket.setSoTimeout(millis);
            return tls == null ? withoutTls(socket) : withTls(socket, tls);
        } catch (IOException e) {
            return "nobody listens there (%s); start the gateway, or give the address that it tells"
                    .formatted(e.getMessage());
        }
    }

    private String withoutTls(Socket socket) {
        try {
            handshake(socket, SSLContext.getDefault());
            return "it speaks TLS only; give the worker a Tls";
        } catch (IOException e) {
            return isAboutCertificates(e)
                    ? "it speaks TLS only; give the worker a Tls"
                    : "who listens there is no gateway, or does not answer; give the address that it tells for workers";
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no TLS", e);
        }
    }

    private String withTls(Socket socket, Tls own) throws IOException {
        SSLSocket secure;
        try {
            secure = handshake(socket, own.context());
        } catch (SSLException e) {
            return isAboutCertificates(e)
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

    private static SSLSocket handshake(Socket socket, SSLContext context) throws IOException {
        SSLSocket secure =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(
                                        socket,
                                        socket.getInetAddress().getHostAddress(),
                                        socket.getPort(),
                                        true);
        secure.startHandshake();
        return secure;
    }

    /** Whether the other side speaks TLS, and one of the two did not like a certificate. */
    private static boolean isAboutCertificates(IOException e) {
        return Throwables.getCausalChain(e).stream()
                        .anyMatch(CertificateException.class::isInstance)
                || String.valueOf(e.getMessage()).contains("fatal alert");
    }
}
