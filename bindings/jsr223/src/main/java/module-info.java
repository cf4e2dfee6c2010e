/** Blocks behind javax.script: any Bindings is a frame. */
module dev.blockscope.jsr223 {
    requires static transitive org.jspecify;
    requires transitive dev.blockscope.engine;
    requires transitive java.scripting;
    requires com.google.common;

    exports dev.blockscope.jsr223;

    provides javax.script.ScriptEngineFactory with
            dev.blockscope.jsr223.BlockScriptEngineFactory;
}
