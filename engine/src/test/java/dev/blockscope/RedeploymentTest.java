package dev.blockscope;

import static org.assertj.core.api.Assertions.assertThat;

import dev.blockscope.redeployed.Application;
import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A server that has the library beside its own classes lets go of an application that it has
 * stopped, although the threads that ran it go on. GraalVM itself is never let go of: it has a hook
 * for the end of the JVM, and values in the threads that were in a context.
 */
@Timeout(120)
class RedeploymentTest {
    @Test
    void anApplicationIsCollectedWhenItIsStopped() throws Exception {
        try (ExecutorService threads = Executors.newSingleThreadExecutor();
                URLClassLoader server = loader(ClassLoader.getPlatformClassLoader(), library())) {
            // The first one is the one that GraalVM begins with.
            for (int deployment = 0; deployment < 3; deployment++) {
                WeakReference<ClassLoader> application =
                        threads.submit(() -> runAndStop(server)).get();

                assertThat(isCollected(application)).as("deployment %s", deployment).isTrue();
            }
        }
    }

    private static WeakReference<ClassLoader> runAndStop(ClassLoader server) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader application = loader(server, Stream.of(folderOfTests().toURI()))) {
            thread.setContextClassLoader(application);
            Callable<?> main =
                    (Callable<?>)
                            application
                                    .loadClass(Application.class.getName())
                                    .getConstructor()
                                    .newInstance();
            assertThat(main.getClass()).isNotEqualTo(Application.class);
            assertThat(main.call()).isEqualTo("39, 14, 42, refused");
            return new WeakReference<>(application);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static boolean isCollected(WeakReference<?> reference) throws InterruptedException {
        for (int i = 0; i < 100 && !reference.refersTo(null); i++) {
            System.gc();
            Thread.sleep(20);
        }
        return reference.refersTo(null);
    }

    private static URLClassLoader loader(ClassLoader parent, Stream<URI> places) throws Exception {
        URL[] urls = places.map(RedeploymentTest::url).toArray(URL[]::new);
        return new URLClassLoader(urls, parent);
    }

    /** Returns what the tests run with, from whichever path, without the tests themselves. */
    private static Stream<URI> library() {
        return Stream.of("java.class.path", "jdk.module.path")
                .flatMap(path -> Stream.of(System.getProperty(path, "").split(File.pathSeparator)))
                .filter(entry -> !entry.isEmpty())
                .map(File::new)
                .filter(entry -> !entry.equals(folderOfTests()))
                .map(File::toURI);
    }

    private static File folderOfTests() {
        URI file =
                URI.create(RedeploymentTest.class.getResource("RedeploymentTest.class").toString());
        return Path.of(file).getParent().getParent().getParent().toFile();
    }

    private static URL url(URI place) {
        try {
            return place.toURL();
        } catch (java.net.MalformedURLException e) {
            throw new IllegalArgumentException(e);
        }
    }
}
