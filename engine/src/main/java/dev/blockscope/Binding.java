package dev.blockscope;

import org.jspecify.annotations.Nullable;

/**
 * What a bound name is bound to. It exists so that null, which is a value, differs from absence.
 *
 * @param value the value; null is a value
 * @since 0.1
 */
public record Binding(@Nullable Object value) {}
