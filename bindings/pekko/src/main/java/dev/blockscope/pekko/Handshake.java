package dev.blockscope.pekko;

import com.google.common.base.Throwables;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** What comes of it if one side begins to speak TLS, for messages that say what is wrong. */
final class Handshake {
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    private Handshake() {}

    /** Opens a connection on which nobody waits for long. */
    static Socket connected(String host, int port) throws IOException {
        Socket socket = new Socket();
        try {
            int millis = Math.toIntExact(PATIENCE.toMillis());
            socket.connect(new InetSocketAddress(host, port), millis);
            socket.setSoTimeout(millis);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /**
     * Speaks TLS with whoever is there.
     *
     * @throws IOException if he does not, or one of the two does not believe the other
     */
    static SSLSocket with(Socket socket, SSLContext context) throws IOException {
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

    /** Whether the other side speaks TLS. */
    static boolean isSpokenBy(Socket socket) {
        try {
            with(socket, SSLContext.getDefault());
            return true;
        } catch (IOException e) {
            return isDisbelief(e) || isRefusal(e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JVM has no TLS", e);
        }
    }

    /** Whether a handshake failed since the certificate of the other side is not believed. */
    static boolean isDisbelief(Throwable e) {
        return Throwables.getCausalChain(e).stream()
                .anyMatch(CertificateException.class::isInstance);
    }

    /** Whether the other side, which speaks TLS, has ended a handshake. */
    static boolean isRefusal(Throwable e) {
        return Throwables.getCausalChain(e).stream()
                .anyMatch(it -> String.valueOf(it.getMessage()).contains("fatal alert"));
    }
}
