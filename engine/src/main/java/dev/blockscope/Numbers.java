package dev.blockscope;

import java.math.BigDecimal;
import java.math.BigInteger;

/** Numbers of one Java type as the same numbers of another. */
final class Numbers {
    private Numbers() {}

    /**
     * Returns a number as one of another class.
     *
     * @throws ArithmeticException if the class does not have that very number
     */
    static Number exact(Number number, Class<?> target) {
        if (target == Double.class) {
            return checked(number.doubleValue(), number);
        }
        if (target == Float.class) {
            float nearest = number.floatValue();
            checked((double) nearest, number);
            return nearest;
        }
        BigDecimal decimal = decimal(number);
        return switch (target.getName()) {
            case "java.lang.Byte" -> decimal.byteValueExact();
            case "java.lang.Short" -> decimal.shortValueExact();
            case "java.lang.Integer" -> decimal.intValueExact();
            case "java.lang.Long" -> decimal.longValueExact();
            case "java.math.BigInteger" -> decimal.toBigIntegerExact();
            case "java.math.BigDecimal" -> decimal;
            default -> throw new ArithmeticException("no number becomes one of that class");
        };
    }

    private static double checked(double nearest, Number number) {
        boolean same =
                (number instanceof Double || number instanceof Float)
                        ? Double.compare(nearest, number.doubleValue()) == 0
                        : Double.isFinite(nearest)
                                && new BigDecimal(nearest).compareTo(decimal(number)) == 0;
        if (!same) {
            throw new ArithmeticException("it would become " + nearest);
        }
        return nearest;
    }

    private static BigDecimal decimal(Number number) {
        return switch (number) {
            case BigDecimal decimal -> decimal;
            case BigInteger integer -> new BigDecimal(integer);
            case Double fraction -> ofDouble(fraction);
            case Float fraction -> ofDouble(fraction.doubleValue());
            default -> BigDecimal.valueOf(number.longValue());
        };
    }

    private static BigDecimal ofDouble(double number) {
        if (!Double.isFinite(number) || Double.doubleToRawLongBits(number) == Long.MIN_VALUE) {
            throw new ArithmeticException("only a float or a double can be " + number);
        }
        return BigDecimal.valueOf(number);
    }
}
