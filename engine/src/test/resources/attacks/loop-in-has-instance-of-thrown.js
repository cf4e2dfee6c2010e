// => RUNTIME
for (const type of [Error, Map, Set, Promise, Date, Object, Function]) Object.defineProperty(type, Symbol.hasInstance, { value() { for (;;); } });
throw new TypeError('x')
