/** Any ONNX file as a tree of modules whose outputs a block can read and replace. */
module dev.blockscope.onnx {
    // Only for tokenizers, and then the application brings it.
    requires static ai.djl.tokenizers;
    requires static transitive org.jspecify;
    requires transitive dev.blockscope.engine;
    requires transitive org.graalvm.polyglot;
    requires com.google.common;
    requires com.microsoft.onnxruntime;
    requires org.slf4j;

    exports dev.blockscope.onnx;
}
