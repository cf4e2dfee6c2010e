/** Samples: programs to run and to read, no library. */
module dev.blockscope.samples {
    // What the models' tokenizers run on.
    requires ai.djl.tokenizers;
    requires com.fasterxml.jackson.jr.ob;
    requires com.google.common;
    requires com.h2database;
    requires dev.blockscope.engine;
    requires dev.blockscope.onnx;
    requires dev.blockscope.pekko;
    requires info.picocli;
    requires java.desktop;
    requires java.management;
    requires java.net.http;
    requires java.sql;
    requires jdk.httpserver;
    requires me.tongfei.progressbar;
    requires org.knowm.xchart;
    requires static org.jspecify;

    opens dev.blockscope.samples to
            info.picocli;
}
