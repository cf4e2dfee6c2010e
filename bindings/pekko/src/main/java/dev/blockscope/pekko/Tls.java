package dev.blockscope.pekko;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

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

    private static KeyStore read(Path file, String password)
            throws IOException, GeneralSecurityException {
        return KeyStore.getInstance(file.toFile(), password.toCharArray());
    }

    /** Shows no password. */
    @Override
    public String toString() {
        return "Tls[%s, %s]".formatted(keyStore, trustStore);
    }
}
