package dev.blockscope.pekko;

import java.io.File;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The classes of this JVM, wherever they are, as one class path. */
final class ClassPath {
    private ClassPath() {}

    static String ofThisJvm() {
        return Stream.of("jdk.module.path", "java.class.path", "surefire.test.class.path")
                        .map(System::getProperty)
                        .filter(path -> path != null && !path.isEmpty())
                        .collect(Collectors.joining(File.pathSeparator))
                + File.pathSeparator
                + own(ClassPath.class)
                + File.pathSeparator
                + own(Gateway.class);
    }

    private static String own(Class<?> type) {
        return new File(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .toString();
    }
}
