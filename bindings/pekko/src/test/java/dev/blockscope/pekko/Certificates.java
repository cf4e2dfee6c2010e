package dev.blockscope.pekko;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Certificates that are made for a test, by the JDK's own tool. */
final class Certificates {
    private static final String PASSWORD = "secret-of-a-test";
    private static final String ALIAS = "node";

    private Certificates() {}

    /** Makes a certificate for each name, and a store of those that nodes and authors believe. */
    static void make(Path folder, List<String> trusted, String... others)
            throws IOException, InterruptedException, GeneralSecurityException {
        List<String> all = new ArrayList<>(trusted);
        all.addAll(Arrays.asList(others));
        List<Process> making = new ArrayList<>();
        for (String name : all) {
            making.add(generate(folder, name));
        }
        for (Process each : making) {
            if (each.waitFor() != 0) {
                throw new IOException("keytool ended with " + each.exitValue());
            }
        }
        believe(folder, "trust", trusted);
    }

    /** Makes a store of the certificates that are believed. */
    static void believe(Path folder, String storeName, List<String> names)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (String name : names) {
            KeyStore own =
                    KeyStore.getInstance(file(folder, name).toFile(), PASSWORD.toCharArray());
            store.setCertificateEntry(name, own.getCertificate(ALIAS));
        }
        try (OutputStream out = Files.newOutputStream(file(folder, storeName))) {
            store.store(out, PASSWORD.toCharArray());
        }
    }

    static Tls tls(Path folder, String name) {
        return new Tls(file(folder, name), PASSWORD, file(folder, "trust"), PASSWORD);
    }

    /** Returns the same for a door whose authors are in another store. */
    static Tls tls(Path folder, String name, String storeName) {
        return tls(folder, name).trusting(file(folder, storeName), PASSWORD);
    }

    private static Path file(Path folder, String name) {
        return folder.resolve(name + ".p12");
    }

    private static Process generate(Path folder, String name) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of("-J-XX:TieredStopAtLevel=1", "-genkeypair", "-keyalg", "EC"));
        command.addAll(List.of("-validity", "7", "-alias", ALIAS, "-storetype", "PKCS12"));
        command.addAll(List.of("-dname", "CN=" + name));
        command.addAll(List.of("-ext", "san=ip:127.0.0.1,dns:localhost"));
        command.addAll(List.of("-keystore", file(folder, name).toString()));
        command.addAll(List.of("-storepass", PASSWORD));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }
}
