package dev.blockscope.pekko;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Certificates that are made for a test, by the JDK's own tool. */
final class Certificates {
    private static final String PASSWORD = "secret-of-a-test";

    private Certificates() {}

    /** Makes a certificate for each name, all of which those that are {@code trusted} believe. */
    static void make(Path folder, List<String> trusted, String... others)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(trusted);
        all.addAll(Arrays.asList(others));
        for (String name : all) {
            keytool(
                    "-genkeypair -keyalg EC -validity 7 -alias node -storetype PKCS12 -dname CN="
                            + name
                            + " -ext san=ip:127.0.0.1,dns:localhost -keystore "
                            + folder.resolve(name + ".p12"));
            keytool(
                    "-exportcert -alias node -keystore %s -file %s"
                            .formatted(
                                    folder.resolve(name + ".p12"), folder.resolve(name + ".crt")));
        }
        for (String name : trusted) {
            keytool(
                    "-importcert -noprompt -storetype PKCS12 -alias %s -keystore %s -file %s"
                            .formatted(
                                    name,
                                    folder.resolve("trust.p12"),
                                    folder.resolve(name + ".crt")));
        }
    }

    static Tls tls(Path folder, String name) {
        return new Tls(
                folder.resolve(name + ".p12"), PASSWORD, folder.resolve("trust.p12"), PASSWORD);
    }

    private static void keytool(String arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(Arrays.asList(arguments.split(" ")));
        command.addAll(List.of("-storepass", PASSWORD));
        Path log = Files.createTempFile("keytool", ".log");
        int exit =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start()
                        .waitFor();
        String said = Files.readString(log);
        Files.delete(log);
        if (exit != 0) {
            throw new IOException(said);
        }
    }
}
