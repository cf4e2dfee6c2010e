/** Samples: programs to run and to read, no library. */
module dev.blockscope.samples {
    requires java.desktop;
    requires com.google.common;
    requires org.knowm.xchart;
    requires static org.jspecify;
}
