package dev.blockscope;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** The stack that the JVM gives a thread that is not made with another. */
final class ThreadStack {
    private static final long BYTES = read();

    private ThreadStack() {}

    /** Returns its bytes, or 0 if the JVM does not tell. */
    static long bytes() {
        return BYTES;
    }

    private static long read() {
        HotSpotDiagnosticMXBean options =
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
        return options == null ? 0 : Long.parseLong(kilobytes(options)) << 10;
    }

    private static String kilobytes(HotSpotDiagnosticMXBean options) {
        try {
            return options.getVMOption("ThreadStackSize").getValue();
        } catch (IllegalArgumentException e) {
            // Another JVM, which calls it otherwise.
            return "0";
        }
    }
}
