package dev.blockscope.pekko;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * What a node shows the others, and whom it believes: with TLS 1.3 both sides of each connection
 * show a certificate that the other's trust store knows.
 *
 * @param keyStore a PKCS #12 file with the node's private key and certificate
 * @param keyPassword of the file and the key
 * @param trustStore a PKCS #12 file with the certificates that are believed
 * @param trustPassword of that file
 * @since 0.1
 */
public record Tls(Path keyStore, String keyPassword, Path trustStore, String trustPassword) {
    /** Checks that nothing is null. */
    public Tls {
        requireNonNull(keyStore, "keyStore");
        requireNonNull(keyPassword, "keyPassword");
        requireNonNull(trustStore, "trustStore");
        requireNonNull(trustPassword, "trustPassword");
    }

    /**
     * Returns the same key and certificate with others that are believed: a door's authors are not
     * those who may be nodes.
     */
    public Tls trusting(Path store, String password) {
        return new Tls(keyStore, keyPassword, store, password);
    }

    /** Whether two believe the very same file. */
    boolean believesAs(Tls other) throws IOException {
        return Files.isSameFile(trustStore, other.trustStore);
    }

    /**
     * Makes of the two files what connections are opened with.
     *
     * @throws IOException if one cannot be read
     */
    SSLContext context() throws IOException {
        try {
            KeyManagerFactory keys =
                    KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(read(keyStore, keyPassword), keyPassword.toCharArray());
            TrustManagerFactory trusted =
                    TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trusted.init(read(trustStore, trustPassword));
            SSLContext context = SSLContext.getInstance("TLSv1.3");
            context.init(keys.getKeyManagers(), trusted.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("%s cannot be used: %s".formatted(this, e.getMessage()), e);
        }
    }

    /**
     * Reads the files of a node that starts: Pekko would do so when the first connection comes, and
     * say what is wrong to its log.
     *
     * @throws IOException if one cannot be read
     */
    static void requireReadable(@Nullable Tls tls) throws IOException {
        if (tls != null) {
            var _ = tls.context();
        }
    }

    private static KeyStore read(Path file, String password)
            throws IOException, GeneralSecurityException {
        if (!Files.isRegularFile(file)) {
            throw new NoSuchFileException("there is no key store " + file);
        }
        return KeyStore.getInstance(file.toFile(), password.toCharArray());
    }

    /** Shows no password. */
    @Override
    public String toString() {
        return "Tls[%s, %s]".formatted(keyStore, trustStore);
    }
}
