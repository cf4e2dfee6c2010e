package dev.blockscope.redeployed;

import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A server that has the library beside its own classes, and runs an application three times. */
public final class Server {
    private Server() {}

    /**
     * Runs the application in the folder that is the only argument, and tells what became of it.
     */
    public static void main(String[] arguments) throws Exception {
        // Its thread goes on; the first application is the one that GraalVM begins with.
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            for (int deployment = 0; deployment < 3; deployment++) {
                WeakReference<ClassLoader> application =
                        threads.submit(() -> runAndStop(Path.of(arguments[0]))).get();
                System.out.println(isCollected(application) ? "collected" : "still there");
            }
        }
    }

    private static WeakReference<ClassLoader> runAndStop(Path folder) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader application = new ApplicationLoader(folder)) {
            thread.setContextClassLoader(application);
            Callable<?> main =
                    (Callable<?>)
                            application
                                    .loadClass(Application.class.getName())
                                    .getConstructor()
                                    .newInstance();
            System.out.println(main.call());
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

    /** Has the application's classes anew, and all others from the server. */
    private static final class ApplicationLoader extends URLClassLoader {
        ApplicationLoader(Path folder) throws Exception {
            super(new URL[] {folder.toUri().toURL()}, Server.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                if (loaded != null) {
                    return loaded;
                }
                return name.startsWith(Application.class.getName())
                        ? findClass(name)
                        : super.loadClass(name, resolve);
            }
        }
    }
}
