package dev.blockscope;

import static dev.blockscope.Frames.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.WeakReference;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A frame whose locals are the properties of a record or a bean. */
class BeanFrameTest {
    private static BlockEngine engine;

    @BeforeAll
    static void open() {
        engine = BlockEngine.create();
    }

    @AfterAll
    static void close() {
        engine.close();
    }

    private static @Nullable Object run(String text, Object bean) {
        return engine.capture(text, Frame.ofBean(bean)).run().value();
    }

    private static PushException refusal(String text, Object bean) {
        PushException e =
                catchThrowableOfType(
                        PushException.class, engine.capture(text, Frame.ofBean(bean))::run);
        assertThat(e).as("refusal of " + text).isNotNull();
        return e;
    }

    /** A point. */
    public record Point(int x, @Nullable String label) {}

    /** An order, with each kind of member a bean can have. */
    public static final class Order {
        public String customer = "Ann";
        public final String country = "NL";
        public static String constant = "static";
        private int quantity = 2;
        private boolean open = true;
        private @Nullable String note;
        private String secret = "hidden";

        public int getQuantity() {
            return quantity;
        }

        public void setQuantity(int quantity) {
            if (quantity < 0) {
                throw new IllegalArgumentException("below zero");
            }
            this.quantity = quantity;
        }

        public boolean isOpen() {
            return open;
        }

        public Order setOpen(boolean open) {
            this.open = open;
            return this;
        }

        public @Nullable String getNote() {
            return note;
        }

        public void setNote(@Nullable String note) throws IOException {
            if ("disk".equals(note)) {
                throw new IOException("disk full");
            }
            this.note = note;
        }

        public int getTotal() {
            return quantity * 10;
        }

        public String getURL() {
            return "/orders/1";
        }

        public void setPassword(String password) {
            secret = password;
        }

        public String get() {
            return "no property";
        }

        public String getaway() {
            return "no property";
        }

        public String getAt(int index) {
            return "no property";
        }

        String getHidden() {
            return secret;
        }
    }

    @Nested
    class OfARecord {
        @Test
        void isReadByItsComponentsInOrder() {
            Frame frame = Frame.ofBean(new Point(3, null));

            assertThat(frame.snapshot()).isEqualTo(map("x", 3, "label", null));
            assertThat(frame.snapshot().keySet()).containsExactly("x", "label");
            assertThat(engine.capture("[x, label === null].join()", frame).run().value())
                    .isEqualTo("3,true");
        }

        @Test
        void isReadOnly() {
            PushException e = refusal("x = 4", new Point(3, "p"));

            assertThat(e.name()).isEqualTo("x");
            assertThat(e)
                    .hasMessageContaining(Point.class.getName())
                    .hasMessageContaining("records do not change");
        }

        @Test
        void takesNothingIfABlockPushesNothing() {
            assertThat(
                            engine.capture("x = 4; x", Frame.ofBean(new Point(3, "p")))
                                    .pushOnly()
                                    .run()
                                    .value())
                    .isEqualTo(4);
        }
    }

    @Nested
    class OfABean {
        private final Order order = new Order();

        @Test
        void isReadByItsGettersAndPublicFieldsInAlphabeticalOrder() {
            Map<String, Object> snapshot = Frame.ofBean(order).snapshot();

            assertThat(snapshot)
                    .isEqualTo(
                            map(
                                    "URL",
                                    "/orders/1",
                                    "country",
                                    "NL",
                                    "customer",
                                    "Ann",
                                    "note",
                                    null,
                                    "open",
                                    true,
                                    "quantity",
                                    2,
                                    "total",
                                    20));
            assertThat(List.copyOf(snapshot.keySet())).isSorted();
        }

        @Test
        void isWrittenThroughItsSettersAndFields() {
            run("quantity = quantity + 1; open = false; note = 'late'; customer = 'Bob'", order);

            assertThat(Frame.ofBean(order).snapshot())
                    .containsEntry("quantity", 3)
                    .containsEntry("open", false)
                    .containsEntry("note", "late")
                    .containsEntry("customer", "Bob")
                    .containsEntry("total", 30);
        }

        @Test
        void takesNullWhereItsTypeDoes() {
            order.customer = "Ann";

            run("note = null; customer = null", order);

            assertThat(order.getNote()).isNull();
            assertThat(order.customer).isNull();
            assertThat(refusal("quantity = null", order))
                    .hasMessageContaining("\"quantity\"")
                    .hasMessageContaining("expected int, got null");
        }

        @ParameterizedTest
        @CsvSource(
                delimiterString = " :: ",
                quoteCharacter = '`',
                textBlock =
                        """
                        total = 1        :: total    :: is read-only
                        country = 'DE'   :: country  :: is read-only
                        password = 'x'   :: password :: has no property "password"
                        hidden = 'x'     :: hidden   :: has no property "hidden"
                        constant = 'x'   :: constant :: has no property "constant"
                        unknown = 1      :: unknown  :: it has URL, country, customer
                        quantity = '3'   :: quantity :: expected int, got "3" (java.lang.String)
                        open = 1         :: open     :: expected boolean, got 1 (java.lang.Integer)
                        note = 5         :: note     :: expected java.lang.String, got 5
                        """)
        void refusesANameBeforeAnythingIsWritten(String text, String name, String reason) {
            PushException e = refusal("customer = 'Bob'; " + text + "; more = 1", order);

            assertThat(e.name()).isEqualTo(name);
            assertThat(e).hasMessageContaining("\"" + name + "\"").hasMessageContaining(reason);
            assertThat(order.customer).isEqualTo("Ann");
        }

        @Test
        void isRestoredIfASetterThrowsMidway() {
            PushException e = refusal("customer = 'Bob'; open = false; quantity = -1", order);

            assertThat(e.name()).isEqualTo("quantity");
            assertThat(e)
                    .hasCauseInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("below zero");
            assertThat(e.notRestored()).isEmpty();
            assertThat(order.customer).isEqualTo("Ann");
            assertThat(order.isOpen()).isTrue();
        }

        @Test
        void tellsACheckedExceptionOfASetterToo() {
            PushException e = refusal("customer = 'Bob'; note = 'disk'", order);

            assertThat(e.name()).isEqualTo("note");
            assertThat(e)
                    .hasMessageContaining("disk full")
                    .hasRootCauseInstanceOf(IOException.class);
            assertThat(order.customer).isEqualTo("Ann");
        }
    }

    /** What does not come back by a setter alone. */
    public static final class Fickle {
        private int a = 1;
        private int b = 1;
        private boolean stuck;

        public int getA() {
            return a;
        }

        public void setA(int a) {
            if (stuck) {
                throw new IllegalStateException("stuck");
            }
            this.a = a;
        }

        public int getB() {
            return b;
        }

        public void setB(int b) {
            stuck = true;
            throw new IllegalStateException("no b");
        }
    }

    @Test
    void whatCannotBeRestoredIsListed() {
        PushException e = refusal("a = 2; b = 2", new Fickle());

        assertThat(e.name()).isEqualTo("b");
        assertThat(e.notRestored()).containsOnlyKeys("a");
        assertThat(e.notRestored().get("a")).hasMessage("stuck");
    }

    /** One property of each type that values of a block are converted to. */
    @SuppressWarnings("JavaUtilDate") // beans have such properties
    public static final class Typed {
        public byte aByte;
        public short aShort;
        public int anInt;
        public long aLong;
        public float aFloat;
        public double aDouble;
        public char aChar;
        public boolean aBoolean;
        public Integer boxed = 0;
        public Number number = 0;
        public Object object = 0;
        public BigInteger bigInteger = BigInteger.ZERO;
        public BigDecimal bigDecimal = BigDecimal.ZERO;
        public CharSequence text = "";
        public DayOfWeek day = DayOfWeek.MONDAY;
        public Date date = new Date(1);
        public int[] ints = {};
        public String[] texts = {};
        public long[][] grid = {};
        public List<Long> longs = List.of();
        public List<?> anything = List.of();
        public Set<Short> shorts = Set.of();
        public Map<String, Double> prices = Map.of();
        public UnaryOperator<Object> action = UnaryOperator.identity();
    }

    @Nested
    class Types {
        private final Typed typed = new Typed();

        @ParameterizedTest
        @CsvSource(
                delimiterString = " :: ",
                quoteCharacter = '`',
                textBlock =
                        """
                        aByte      :: -128                      :: -128 Byte
                        aShort     :: 32767                     :: 32767 Short
                        anInt      :: 10 / 2                    :: 5 Integer
                        anInt      :: 7n                        :: 7 Integer
                        aLong      :: 3                         :: 3 Long
                        aLong      :: 2 ** 40                   :: 1099511627776 Long
                        aLong      :: 2n ** 62n                 :: 4611686018427387904 Long
                        aFloat     :: 0.5                       :: 0.5 Float
                        aFloat     :: 0 / 0                     :: NaN Float
                        aDouble    :: 3                         :: 3.0 Double
                        aDouble    :: 0.1                       :: 0.1 Double
                        aDouble    :: -0                        :: -0.0 Double
                        aDouble    :: 1 / 0                     :: Infinity Double
                        aChar      :: 'c'                       :: c Character
                        aBoolean   :: 1 < 2                     :: true Boolean
                        boxed      :: 5                         :: 5 Integer
                        number     :: 2.5                       :: 2.5 Double
                        object     :: 'any'                     :: any String
                        bigInteger :: 5                         :: 5 BigInteger
                        bigDecimal :: 0.1                       :: 0.1 BigDecimal
                        bigDecimal :: 2n ** 64n                 :: 18446744073709551616 BigDecimal
                        text       :: 'a' + 1                   :: a1 String
                        day        :: 'FRIDAY'                  :: FRIDAY DayOfWeek
                        longs      :: [1, 2]                    :: [1, 2] ArrayList
                        anything   :: [1, 'a']                  :: [1, a] ArrayList
                        shorts     :: new Set([1])              :: [1] LinkedHashSet
                        prices     :: ({ a: 1, b: 0.5 })        :: {a=1.0, b=0.5} LinkedHashMap
                        """)
        void takesWhatFitsWithoutLoss(String property, String expression, String expected) {
            run(property + " = " + expression, typed);

            Object value = Frame.ofBean(typed).snapshot().get(property);
            int type = expected.lastIndexOf(' ');
            assertThat(value.getClass().getSimpleName()).isEqualTo(expected.substring(type + 1));
            assertThat(String.valueOf(value)).startsWith(expected.substring(0, type));
        }

        @ParameterizedTest
        @CsvSource(
                delimiterString = " :: ",
                quoteCharacter = '`',
                textBlock =
                        """
                        aByte      :: 128             :: expected byte, got 128 (java.lang.Integer)
                        aShort     :: -40000          :: expected short, got -40000
                        anInt      :: 2.5             :: expected int, got 2.5 (java.lang.Double)
                        anInt      :: 2 ** 31         :: expected int, got 2147483648 (java.lang.Long)
                        anInt      :: -0              :: expected int, got -0.0
                        anInt      :: 0 / 0           :: expected int, got NaN
                        anInt      :: '5'             :: expected int, got "5" (java.lang.String)
                        anInt      :: true            :: expected int, got true (java.lang.Boolean)
                        aLong      :: 2n ** 63n       :: expected long, got 9223372036854775808
                        aFloat     :: 0.1             :: expected float, got 0.1 (java.lang.Double): it would become 0.1
                        aFloat     :: 1e300           :: expected float, got 1.0E300
                        aDouble    :: 2n ** 53n + 1n  :: expected double, got 9007199254740993
                        aDouble    :: 10n ** 400n     :: expected double, got 1000
                        aChar      :: 'ab'            :: expected char, got "ab"
                        aBoolean   :: 'true'          :: expected boolean, got "true"
                        boxed      :: 2.5             :: expected java.lang.Integer, got 2.5
                        bigInteger :: 0.5             :: expected java.math.BigInteger, got 0.5
                        bigDecimal :: 0 / 0           :: expected java.math.BigDecimal, got NaN
                        text       :: 5               :: expected java.lang.CharSequence, got 5
                        day        :: 'SOMEDAY'       :: its constants are [MONDAY, TUESDAY
                        day        :: 5               :: expected java.time.DayOfWeek, got 5
                        ints       :: [1, 2.5]        :: expected int[], got [1, 2.5] (java.util.ArrayList): expected int, got 2.5
                        texts      :: 'abc'           :: expected java.lang.String[], got "abc"
                        longs      :: [1, 'a']        :: expected java.util.List<java.lang.Long>, got [1, a]
                        longs      :: ({ a: 1 })      :: expected java.util.List<java.lang.Long>, got {a=1}
                        prices     :: ({ a: 'x' })    :: expected java.lang.Double, got "x"
                        action     :: 5               :: expected java.util.function.UnaryOperator
                        """)
        void refusesWhatDoesNotFitAndNamesBothTypes(
                String property, String expression, String reason) {
            Object before = Frame.ofBean(typed).snapshot().get(property);

            PushException e =
                    refusal("object = 'changed'; " + property + " = " + expression, typed);

            assertThat(e.name()).isEqualTo(property);
            assertThat(e).hasMessageContaining(reason);
            assertThat(Frame.ofBean(typed).snapshot().get(property)).isEqualTo(before);
            assertThat(typed.object).isEqualTo(0);
        }

        @Test
        void takesArraysOfWhatFits() {
            run("ints = [1, 2]; texts = ['a', null]; grid = [[1], [2, 3]]", typed);

            assertThat(typed.ints).containsExactly(1, 2);
            assertThat(typed.texts).containsExactly("a", null);
            assertThat(typed.grid).isDeepEqualTo(new long[][] {{1}, {2, 3}});
        }

        @Test
        @SuppressWarnings("JavaUtilDate") // beans have such properties
        void takesAnInstantAsADate() {
            run("date = new Date(date.getTime() + 5)", typed);

            assertThat(typed.date).isEqualTo(new Date(6));
        }

        @Test
        void takesAFunctionAsTheInterfaceOfTheProperty() {
            run("action = n => n + 1", typed);

            assertThat(typed.action.apply(1)).isEqualTo(2);
        }

        @Test
        void keepTheIdentityOfWhatFitsAsItIs() {
            List<Long> mine = List.of(1L, 2L);
            typed.longs = mine;

            run("anything = longs; longs = longs", typed);

            assertThat(typed.longs).isSameAs(mine);
            assertThat(typed.anything).isSameAs(mine);
        }
    }

    /** A getter of a narrower type than that of its superclass, as compilers bridge it. */
    public static class Base<T> {
        private @Nullable T value;

        public @Nullable T getValue() {
            return value;
        }

        public void setValue(@Nullable T value) {
            this.value = value;
        }

        public Object getKind() {
            return "base";
        }
    }

    /** What inherits its properties. */
    public static final class Derived extends Base<Long> {
        @Override
        public String getKind() {
            return "derived";
        }
    }

    /** A setter that is overloaded. */
    public static final class Overloaded {
        private long when;

        public long getWhen() {
            return when;
        }

        public void setWhen(Instant when) {
            this.when = when.toEpochMilli();
        }

        public void setWhen(long when) {
            this.when = when;
        }

        public void setWhen(Object when) {
            this.when = when.hashCode() - 1L;
        }
    }

    @Test
    void inheritedPropertiesHaveTheirNarrowestTypes() {
        Derived derived = new Derived();

        run("value = 5", derived);

        assertThat(derived.getValue()).isEqualTo(5L);
        assertThat(Frame.ofBean(derived).snapshot()).isEqualTo(map("kind", "derived", "value", 5L));
    }

    @Test
    void ofOverloadedSettersTheOneWithTheGettersTypeCounts() {
        Overloaded overloaded = new Overloaded();

        run("when = 5", overloaded);

        assertThat(overloaded.getWhen()).isEqualTo(5);
    }

    /** Something that cannot be read. */
    public static final class Unreadable {
        public int getFine() {
            return 1;
        }

        @SuppressWarnings("DoNotCallSuggester") // called by name
        public int getBroken() throws IOException {
            throw new IOException("no connection");
        }
    }

    @Test
    void aGetterThatThrowsFailsTheCaptureAndIsNamed() {
        Frame frame = Frame.ofBean(new Unreadable());

        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> engine.capture("fine", frame))
                .withMessageContaining("\"broken\" of " + Unreadable.class.getName())
                .withMessageContaining("no connection")
                .withCauseInstanceOf(IOException.class);
    }

    record Closed(int x) {}

    @Test
    void aClassThatIsNotPublicSaysSoAndWhatToDo() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Frame.ofBean(new Closed(1)))
                .withMessageContaining(Closed.class.getName())
                .withMessageContaining("not public in an exported package")
                .withMessageContaining("getter and a setter function");
    }

    @Test
    void aPublicClassOfAPackageThatIsNotExportedSaysSo() {
        Object closed = StandardCharsets.UTF_8;

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Frame.ofBean(closed))
                .withMessageContaining("sun.nio.cs.UTF_8 is not public in an exported");
    }

    @Test
    void whatHasNoPropertiesSaysSo() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Frame.ofBean(new Object()))
                .withMessageContaining("java.lang.Object has no public getter");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Frame.ofBean(new HashMap<>()))
                .withMessageContaining("Frame.of(map)");
        assertThatNullPointerException().isThrownBy(() -> Frame.ofBean(null));
    }

    @Test
    void itHasGlobalsAndAPlace() {
        FrameCode code = new FrameCode("order.js", 7, "order");
        Frame frame = Frame.ofBean(new Point(3, "p"), Globals.of(Map.of("rate", 2)), code);

        assertThat(engine.capture("x * rate", frame).run().value()).isEqualTo(6);
        assertThat(frame.code()).isEqualTo(code);
        assertThat(frame.toString()).contains(Point.class.getName());
    }

    @Test
    void whatIsKnownOfAClassGoesWithItsLoader() throws Exception {
        WeakReference<ClassLoader> loader = loadAndRead();

        for (int i = 0; i < 100 && loader.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }

        assertThat(loader.get()).isNull();
    }

    private static WeakReference<ClassLoader> loadAndRead() throws Exception {
        ClassLoader loader = new OwnCopies();
        Class<?> point = Class.forName(Point.class.getName(), true, loader);
        Object bean = point.getConstructor(int.class, String.class).newInstance(3, "p");
        assertThat(point).isNotEqualTo(Point.class);
        assertThat(run("x + 1", bean)).isEqualTo(4);
        return new WeakReference<>(loader);
    }

    /** A loader that has classes of this test for its own, as an application that is redeployed. */
    private static final class OwnCopies extends ClassLoader {
        OwnCopies() {
            super(BeanFrameTest.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(BeanFrameTest.class.getName())) {
                return super.loadClass(name, resolve);
            }
            Class<?> known = findLoadedClass(name);
            if (known != null) {
                return known;
            }
            String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
            try (InputStream bytes = BeanFrameTest.class.getResourceAsStream(file)) {
                byte[] all = bytes.readAllBytes();
                return defineClass(name, all, 0, all.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
