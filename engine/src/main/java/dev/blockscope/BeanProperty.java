package dev.blockscope;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.jspecify.annotations.Nullable;

/**
 * One property of a public class.
 *
 * @param owner the class
 * @param name the property's name
 * @param reader takes the object and returns the value
 * @param writer takes the object and a value of {@code type}; null if the property is read-only
 * @param type what the writer takes
 */
record BeanProperty(
        Class<?> owner,
        String name,
        MethodHandle reader,
        @Nullable MethodHandle writer,
        PropertyType type) {
    /** Adapts the handles to objects of any class. */
    BeanProperty {
        reader = reader.asType(MethodType.methodType(Object.class, Object.class));
        if (writer != null) {
            writer =
                    MethodHandles.dropReturn(writer)
                            .asType(MethodType.methodType(void.class, Object.class, Object.class));
        }
    }

    /**
     * Returns a value as the property will take it.
     *
     * @throws UnsupportedOperationException if the property is read-only
     * @throws IllegalArgumentException if it would not take the value whole
     */
    @Nullable Object accepted(@Nullable Object value) {
        if (writer == null) {
            throw new UnsupportedOperationException(
                    "\"%s\" of %s is read-only: %s"
                            .formatted(
                                    name,
                                    owner.getName(),
                                    owner.isRecord()
                                            ? "records do not change"
                                            : "it has no public setter that takes what its getter returns"));
        }
        return type.fit(value);
    }

    @Nullable Object valueOf(Object bean) {
        try {
            return (Object) reader.invokeExact(bean);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw failed("read", e);
        }
    }

    /** Writes a value that was accepted; what the setter throws comes out as it is, if it may. */
    void set(Object bean, @Nullable Object value) {
        MethodHandle taker = writer;
        if (taker == null) {
            throw new AssertionError("a read-only property accepts no value");
        }
        try {
            taker.invokeExact(bean, value);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw failed("write", e);
        }
    }

    private IllegalStateException failed(String what, Throwable e) {
        return new IllegalStateException(
                "cannot %s \"%s\" of %s: %s".formatted(what, name, owner.getName(), e), e);
    }
}
