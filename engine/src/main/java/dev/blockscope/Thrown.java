package dev.blockscope;

import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.graalvm.polyglot.PolyglotException;
import org.graalvm.polyglot.Value;

/**
 * What guest or host code threw, in words. Errors have a message; other values that guest code
 * throws are shown as it would write them. No guest code runs for that: it has just failed, and
 * might not end.
 */
final class Thrown {
    private static final int LONGEST = 200;
    private static final int MOST = 10;
    private static final String MORE = "…";

    private Thrown() {}

    /** Returns the message of what was thrown. */
    static String messageOf(PolyglotException e, Realm realm) {
        if (e.isHostException()) {
            return messageOf(CallbackException.unwrap(e.asHostException()));
        }
        String message = e.getMessage();
        if (message == null) {
            return e.isCancelled()
                    ? "the block was cancelled"
                    : "the block failed without a message";
        }
        Value thrown = e.isGuestException() ? e.getGuestObject() : null;
        if (thrown == null) {
            return message;
        }
        if (message.isBlank()) {
            return '"' + message + '"';
        }
        return tells(message, thrown, realm)
                ? realm.dialect().runMessage(message)
                : shown(thrown, realm);
    }

    /** Returns the message of an exception of the host, or its class if it has none. */
    static String messageOf(Throwable host) {
        try {
            String message = host.getMessage();
            if (message == null && host instanceof StackOverflowError) {
                return "the stack came to its end; functions call each other without end, or too deep";
            }
            return message == null ? host.getClass().getName() : message;
        } catch (RuntimeException e) {
            // It is the user's class, and its failure must not replace the one it stands for.
            return "%s, whose message cannot be read: %s"
                    .formatted(host.getClass().getName(), e.getClass().getName());
        }
    }

    /** Whether an exception is a note of Truffle's on one that has passed guest code. */
    static boolean isPlumbing(Throwable suppressed) {
        return suppressed.getClass().getName().startsWith("com.oracle.truffle.");
    }

    /** Returns the class of what was thrown, as its language names it. */
    static String typeOf(PolyglotException e) {
        if (e.isHostException()) {
            return CallbackException.unwrap(e.asHostException()).getClass().getName();
        }
        Value thrown = e.isGuestException() ? e.getGuestObject() : null;
        return thrown == null ? "" : asked(() -> Guest.typeName(thrown), "");
    }

    /** Of an object that is no error the language tells its class only, or nothing. */
    private static boolean tells(String message, Value thrown, Realm realm) {
        return asked(
                () ->
                        !thrown.hasMembers()
                                || thrown.isString()
                                || !(message.equals("Error")
                                        || message.equals(Guest.typeName(thrown)))
                                || realm.dialect().isError(thrown, realm::builtin),
                true);
    }

    /** Returns a value as guest code would write it, as far as it is short. */
    static String shown(Value value, Realm realm) {
        String text = asked(() -> shown(value, realm, true), "a value that cannot be shown");
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + MORE;
    }

    private static String shown(Value value, Realm realm, boolean whole) {
        String type = Guest.typeName(value);
        if (value.isString()) {
            return whole ? value.asString() : '"' + value.asString() + '"';
        }
        if (value.hasArrayElements()) {
            return whole ? elements(value, realm) : "[" + MORE + "]";
        }
        if (value.canExecute() || !value.hasMembers() || realm.dialect().runsCodeIfRead(value)) {
            return value.hasMembers() ? type : value.toString();
        }
        String prefix = type.isEmpty() || type.equals("Object") ? "" : type + " ";
        return prefix + (whole ? members(value, realm) : "{" + MORE + "}");
    }

    private static String elements(Value array, Realm realm) {
        long size = array.getArraySize();
        return IntStream.range(0, (int) Math.min(size, MOST))
                .mapToObj(i -> shown(array.getArrayElement(i), realm, false))
                .collect(joining(", ", "[", size > MOST ? ", " + MORE + "]" : "]"));
    }

    private static String members(Value object, Realm realm) {
        List<String> names = object.getMemberKeys().stream().limit(MOST + 1L).toList();
        return names.stream()
                .limit(MOST)
                .map(name -> name + ": " + member(object, name, realm))
                .collect(joining(", ", "{", names.size() > MOST ? ", " + MORE + "}" : "}"));
    }

    private static String member(Value object, String name, Realm realm) {
        Value value = realm.peek(object, name);
        return value == null ? MORE : shown(value, realm, false);
    }

    /** A broken object of the guest's must not replace the error that it is. */
    private static <T> T asked(Supplier<T> question, T unknown) {
        try {
            return question.get();
        } catch (PolyglotException | IllegalStateException | UnsupportedOperationException e) {
            return unknown;
        }
    }
}
