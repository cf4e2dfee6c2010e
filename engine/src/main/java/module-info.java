/** What a block is and how it runs: capture, scope, push, traceback, blocks in step. */
module dev.blockscope.engine {
    requires static transitive org.jspecify;
    requires transitive org.graalvm.polyglot;
    requires org.graalvm.truffle;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.dataformat.cbor;
    requires com.google.common;
    requires java.management;
    requires jdk.jfr;
    requires jdk.management;
    requires org.slf4j;

    exports dev.blockscope;
    exports dev.blockscope.interleave;
    exports dev.blockscope.wire;

    provides com.oracle.truffle.api.instrumentation.provider.TruffleInstrumentProvider with
            dev.blockscope.truffle.BlockInstrumentProvider;
}
