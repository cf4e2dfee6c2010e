// => [{1=2}, [1], 1970-01-01T00:00:00Z, /x/, {}, Array Iterator{}]
for (const type of [Error, Map, Set, Promise, Date, Object, Function, Iterator, RegExp]) Object.defineProperty(type, Symbol.hasInstance, { value() { for (;;); } });
[new Map([[1, 2]]), new Set([1]), new Date(0), /x/, new Proxy({}, {}), [].values()]
