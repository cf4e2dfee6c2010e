package dev.blockscope;

import dev.blockscope.truffle.Promises;
import dev.blockscope.truffle.Settlement;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.graalvm.polyglot.Context;
import org.graalvm.polyglot.Source;
import org.graalvm.polyglot.Value;
import org.graalvm.polyglot.proxy.ProxyExecutable;
import org.graalvm.polyglot.proxy.ProxyObject;
import org.jspecify.annotations.Nullable;

/**
 * The promises and timers of one context.
 *
 * @param followed how the machinery follows a promise that a text comes to
 * @param globals the functions that are to be the language's own, by name
 * @param follower the guest's function that follows a promise
 * @param raiser the guest's function that throws what it is given
 * @param maker the guest's function that makes a promise
 */
record GuestPromises(Promises followed, Value globals, Value follower, Value raiser, Value maker) {
    private static final Source SOURCE = GuestScripts.read("promises.js");

    /** Of the class only: what guest code holds must not hold the realm that it lives in. */
    private static final ProxyObject HOST =
            ProxyObject.fromMap(
                    Map.of(
                            "schedule", (ProxyExecutable) GuestPromises::schedule,
                            "cancel", (ProxyExecutable) GuestPromises::cancel));

    /** Installs them in a fresh context of JavaScript. */
    static GuestPromises in(Context context) {
        Promises followed = new Promises();
        Value made = context.eval(SOURCE).execute(HOST, context.asValue(followed));
        return new GuestPromises(
                followed,
                made.getMember("globals"),
                made.getMember("follow"),
                made.getMember("raise"),
                made.getMember("promise"));
    }

    /** Begins to follow a promise. */
    Settlement follow(Value promise) {
        Settlement settlement = new Settlement();
        follower.executeVoid(promise, settlement);
        return settlement;
    }

    /**
     * Throws what a promise was rejected with, as guest code would.
     *
     * @throws org.graalvm.polyglot.PolyglotException always
     */
    void raise(@Nullable Object reason) {
        raiser.executeVoid(reason);
    }

    /**
     * Returns a promise of what a future of the host's comes to, for guest code of this context.
     */
    Value promiseOf(CompletionStage<?> future, EventLoop loop) {
        return maker.execute(
                (ProxyExecutable)
                        given -> {
                            loop.await(future, given[0], given[1]);
                            return true;
                        });
    }

    private static Object schedule(Value... given) {
        return Run.underWay()
                .loop()
                .schedule(given[0].asString(), given[1], given[2].asInt(), given[3].asBoolean());
    }

    private static Object cancel(Value... given) {
        if (given[0].fitsInInt()) {
            Run.underWay().loop().cancel(given[0].asInt());
        }
        return true;
    }
}
