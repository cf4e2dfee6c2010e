/** A gateway and workers on an Apache Pekko cluster, on which blocks run. */
module dev.blockscope.pekko {
    requires static transitive org.jspecify;
    requires transitive dev.blockscope.engine;
    requires com.fasterxml.jackson.annotation;
    requires com.fasterxml.jackson.core;
    requires com.fasterxml.jackson.databind;
    requires com.fasterxml.jackson.dataformat.cbor;
    requires com.google.common;
    requires java.net.http;
    requires jdk.httpserver;
    requires org.slf4j;
    requires pekko.actor;
    requires pekko.actor.typed;
    requires pekko.cluster;
    requires pekko.cluster.typed;
    requires pekko.remote;
    requires pekko.serialization.jackson;
    requires scala.library;
    requires typesafe.config;

    exports dev.blockscope.pekko;

    // Messages between the nodes are read and written there.
    opens dev.blockscope.pekko to
            com.fasterxml.jackson.databind;
}
