package dev.blockscope;

import java.util.List;
import java.util.stream.Stream;

/**
 * A way in which a text gives the name {@code x} the value 1 at its top level.
 *
 * @param name what it is called
 * @param deletable whether it makes a name that {@code delete} removes
 * @param strict what becomes of it in strict code, where {@code x} is unknown: {@code ok}, {@code
 *     private} where the name stays inside, or the name of the error
 * @param text the text
 */
record WriteForm(String name, boolean deletable, String strict, String text) {
    /** Those marked with + make a name that can be deleted. */
    private static final String TABLE =
            """
            assignment                   :: + ReferenceError :: x = 1
            chained assignment           :: + ReferenceError :: w = x = 1
            in parentheses               :: + ReferenceError :: (x) = 1
            with a unicode escape        :: + ReferenceError :: \\u0078 = 1
            var                          :: - ok             :: var x = 1
            let                          :: - ok             :: let x = 1
            const                        :: - ok             :: const x = 1
            one of several               :: - ok             :: let w = 0, x = 1, y = 2
            var, then assigned           :: - ok             :: var x; x = 1
            let, then assigned           :: - ok             :: let x; x = 1
            var twice                    :: - ok             :: var x = 0; var x = 1
            function                     :: - ok             :: function x() {} x.valueOf = () => 1
            function, redeclared         :: - ok             :: function x() { return 0 } function x() {} x.valueOf = () => 1
            function under a var         :: - ok             :: var x; function x() {} x.valueOf = () => 1
            function over a var          :: - ok             :: function x() {} var x = 1
            generator                    :: - ok             :: function* x() {} x.valueOf = () => 1
            async function               :: - ok             :: async function x() {} x.valueOf = () => 1
            async generator              :: - ok             :: async function* x() {} x.valueOf = () => 1
            function in braces           :: - private        :: { function x() {} x.valueOf = () => 1 }
            function in a branch         :: - private        :: if (true) { function x() {} x.valueOf = () => 1 }
            function in a case           :: - private        :: switch (1) { case 1: function x() {} x.valueOf = () => 1 }
            class                        :: - ok             :: class x { static valueOf() { return 1 } }
            derived class                :: - ok             :: class x extends Object { static valueOf() { return 1 } }
            let of a class               :: - ok             :: let x = class { static valueOf() { return 1 } }
            const of an arrow            :: - ok             :: const x = () => 0; x.valueOf = () => 1
            addition                     :: - ok             :: var x = 0; x += 1
            subtraction                  :: - ok             :: let x = 2; x -= 1
            multiplication               :: + ReferenceError :: x = 1; x *= 1
            division                     :: + ReferenceError :: x = 3; x /= 3
            remainder                    :: + ReferenceError :: x = 7; x %= 3
            exponent                     :: + ReferenceError :: x = 1; x **= 3
            shift left                   :: - ok             :: var x = 0.5; x <<= 1; x |= 1
            shift right                  :: + ReferenceError :: x = 2; x >>= 1
            unsigned shift right         :: + ReferenceError :: x = 3; x >>>= 1
            bitwise and                  :: + ReferenceError :: x = 3; x &= 1
            bitwise or                   :: + ReferenceError :: x = 0; x |= 1
            bitwise xor                  :: + ReferenceError :: x = 3; x ^= 2
            or                           :: - ok             :: var x; x ||= 1
            and                          :: - ok             :: var x = 2; x &&= 1
            nullish                      :: - ok             :: let x = null; x ??= 1
            or of what is there          :: + ReferenceError :: x = 0; x ||= 1
            increment                    :: + ReferenceError :: x = 0; x++
            increment in parentheses     :: + ReferenceError :: x = 0; (x)++
            prefix increment             :: - ok             :: var x = 0; ++x
            decrement                    :: - ok             :: let x = 2; x--
            prefix decrement             :: + ReferenceError :: x = 2; --x
            object pattern               :: + ReferenceError :: ({ x } = { x: 1 })
            object pattern, renamed      :: + ReferenceError :: ({ a: x } = { a: 1 })
            object pattern, default      :: + ReferenceError :: ({ x = 1 } = {})
            object pattern, computed     :: + ReferenceError :: ({ ['a' + 'b']: x } = { ab: 1 })
            object pattern, nested       :: + ReferenceError :: ({ a: { b: [x] } } = { a: { b: [1] } })
            object pattern, rest         :: - ok             :: var { a, ...x } = { a: 0, valueOf() { return 1 } }
            array pattern                :: + ReferenceError :: [x] = [1]
            array pattern, hole          :: + ReferenceError :: [, x] = [0, 1]
            array pattern, default       :: + ReferenceError :: [x = 1] = []
            array pattern, nested        :: + ReferenceError :: [[, x]] = [[0, 1]]
            array pattern, rest          :: + ReferenceError :: [...x] = [1]
            const object pattern         :: - ok             :: const { a: { b: x } } = { a: { b: 1 } }
            let object pattern           :: - ok             :: let { x } = { x: 1 }
            let array pattern            :: - ok             :: let [w, x = 1] = [0]
            var array pattern            :: - ok             :: var [x] = [1]
            swap                         :: + ReferenceError :: x = 2; y = 1; [x, y] = [y, x]
            var in braces                :: - ok             :: { var x = 1 }
            assignment in braces         :: + ReferenceError :: { x = 1 }
            assignment in a branch       :: + ReferenceError :: if (true) x = 1
            var in a branch              :: - ok             :: if (true) var x = 1
            assignment under a label     :: + ReferenceError :: out: { x = 1; break out }
            var under a label            :: - ok             :: out: { var x = 1; break out }
            assignment in switch         :: + ReferenceError :: switch (1) { case 1: x = 1 }
            var in switch                :: - ok             :: switch (1) { default: var x = 1 }
            assignment in try            :: + ReferenceError :: try { x = 1 } finally { }
            assignment in catch          :: + ReferenceError :: try { throw 1 } catch (e) { x = e }
            assignment in finally        :: + ReferenceError :: try { } finally { x = 1 }
            var in try                   :: - ok             :: try { var x = 1 } finally { }
            var in catch                 :: - ok             :: try { throw 1 } catch (e) { var x = e }
            while                        :: + ReferenceError :: x = 0; while (x < 1) x++
            do while                     :: - ok             :: var x = 0; do { x++ } while (x < 1)
            for                          :: + ReferenceError :: for (x = 0; x < 1; x++);
            for var                      :: - ok             :: for (var x = 0; x < 1; x++);
            for of                       :: + ReferenceError :: for (x of [0, 1]);
            for var of                   :: - ok             :: for (var x of [0, 1]);
            for of a pattern             :: + ReferenceError :: for ({ x } of [{ x: 1 }]);
            for of a default             :: + ReferenceError :: for ([x = 1] of [[]]);
            for of a property            :: + ok             :: for (globalThis.x of [0, 1]);
            for in                       :: + ReferenceError :: for (x in { 1: 0 });
            for var in                   :: - ok             :: for (var x in { 1: 0 });
            for await                    :: + ReferenceError :: (async () => { for await (x of [0, 1]); })(); 0
            in an expression             :: + ReferenceError :: [1].concat(x = 1)
            in a condition               :: + ReferenceError :: true && (x = 1)
            in a conditional             :: + ReferenceError :: true ? x = 1 : 0
            after a comma                :: + ReferenceError :: 0, x = 1
            in a template                :: + ReferenceError :: `${x = 1}`
            in an argument               :: + ReferenceError :: String(x = 1)
            in a computed key            :: + ReferenceError :: ({ [x = 1]: 0 })
            property of the global       :: + ok             :: globalThis.x = 1
            element of the global        :: + ok             :: globalThis['x'] = 1
            computed element             :: + ok             :: globalThis['' + 'x'] = 1
            compound property            :: + ok             :: globalThis.x = 0; globalThis.x += 1
            logical property             :: + ok             :: globalThis.x ??= 1
            property of a pattern        :: + ok             :: [globalThis.x] = [1]
            this                         :: + ok             :: this.x = 1
            this in an arrow             :: + ok             :: (() => { this.x = 1 })()
            this in a sloppy function    :: + TypeError      :: (function () { this.x = 1 })()
            Object.assign                :: + ok             :: Object.assign(globalThis, { x: 1 })
            Reflect.set                  :: + ok             :: Reflect.set(globalThis, 'x', 1)
            Object.defineProperty        :: + ok             :: Object.defineProperty(globalThis, 'x', { value: 1, writable: true, configurable: true })
            Object.defineProperties      :: + ok             :: Object.defineProperties(globalThis, { x: { value: 1, writable: true, configurable: true } })
            Reflect.defineProperty       :: + ok             :: Reflect.defineProperty(globalThis, 'x', { value: 1, writable: true, configurable: true })
            a getter on the global       :: + ok             :: Object.defineProperty(globalThis, 'x', { get: () => 1, configurable: true })
            __defineGetter__             :: + ok             :: globalThis.__defineGetter__('x', () => 1)
            direct eval                  :: + ReferenceError :: eval('x = 1')
            direct eval, var             :: + private        :: eval('var x = 1')
            direct eval, function        :: + private        :: eval('function x() {} x.valueOf = () => 1')
            direct eval in an arrow      :: + ReferenceError :: (() => eval('x = 1'))()
            indirect eval                :: + ok             :: (0, eval)('x = 1')
            indirect eval, var           :: + ok             :: (0, eval)('var x = 1')
            indirect eval, function      :: + ok             :: (0, eval)('function x() {} x.valueOf = () => 1')
            new Function                 :: + ok             :: new Function('x = 1')()
            Function                     :: + ok             :: Function('globalThis.x = 1')()
            in a function                :: + ReferenceError :: (function () { x = 1 })()
            in a declared function       :: + ReferenceError :: f(); function f() { x = 1 }
            in an arrow                  :: + ReferenceError :: (() => x = 1)()
            in a callback                :: + ReferenceError :: [1].forEach(v => { x = v })
            in a generator               :: + ReferenceError :: [...(function* () { x = 1; yield 0 })()]
            in an async function         :: + ReferenceError :: (async () => { x = 1 })(); 0
            after await                  :: + ReferenceError :: (async () => { await null; x = 1 })(); 0
            in then                      :: + ReferenceError :: Promise.resolve(1).then(v => { x = v }); 0
            in a getter                  :: + ReferenceError :: ({ get a() { return x = 1 } }).a
            in a setter                  :: + ReferenceError :: ({ set a(v) { x = v } }).a = 1
            in a method                  :: + ReferenceError :: ({ m() { x = 1 } }).m()
            in toString                  :: + ReferenceError :: '' + { toString() { x = 1; return '' } }
            in a proxy's trap            :: + ReferenceError :: new Proxy({}, { get: () => x = 1 }).a
            in a tag                     :: + ReferenceError :: (() => { x = 1 })`t`
            in a default argument        :: + ReferenceError :: ((a = x = 1) => a)()
            in a constructor             :: - ok             :: let x; new (class { constructor() { x = 1 } })
            in a field                   :: - ok             :: let x; new (class { f = x = 1 })
            in a static block            :: - ok             :: let x; (class { static { x = 1 } })
            in a static field            :: - ok             :: let x; (class { static f = x = 1 })
            in a heritage                :: - ok             :: let x; (class extends (x = 1, Object) {})
            in with                      :: + SyntaxError    :: with ({ y: 1 }) { x = y }
            var in with                  :: - SyntaxError    :: with ({ y: 1 }) { var x = y }
            moved by an arrow            :: - ok             :: let x = 0; (() => { x = 1 })()
            """;

    /** Returns every form there is. */
    static Stream<WriteForm> all() {
        return TABLE.lines().filter(line -> !line.isBlank()).map(WriteForm::of);
    }

    private static WriteForm of(String line) {
        List<String> cells = List.of(line.split(" :: ", 3));
        String[] marks = cells.get(1).strip().split(" ", 2);
        return new WriteForm(
                cells.get(0).strip(), marks[0].equals("+"), marks[1].strip(), cells.get(2).strip());
    }

    /** Whether the name can be assigned once more. */
    boolean isAssignable() {
        return !text.startsWith("const") && !isAccessor();
    }

    /** Whether the name is bound only when the text has come to its end. */
    boolean isLate() {
        return List.of("for await", "after await", "in then").contains(name);
    }

    /** Whether it assigns nothing to a name that has a value. */
    boolean isConditional() {
        return text.contains("??= 1") || text.contains("var x; x ||=");
    }

    /** Whether the name is what a function of the text says. */
    boolean isAccessor() {
        return text.contains("get: () => 1,") || text.contains("__defineGetter__");
    }

    /** Returns the text for another name than {@code x}. */
    String textFor(String other) {
        return text.replace("\\u0078", other).replaceAll("\\bx\\b", other);
    }

    @Override
    public String toString() {
        return name;
    }
}
