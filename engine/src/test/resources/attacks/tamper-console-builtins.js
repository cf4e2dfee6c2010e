// => STATEMENTS
for (const type of [Array, String, Map, Set, Object, Number]) for (const k of Object.getOwnPropertyNames(type.prototype)) if (k !== 'constructor') try { type.prototype[k] = () => { for (;;); } } catch { }
console.log([1], { a: 1 }, new Map([[1, 2]]), 'x'); console.table([{ a: 1 }]); 1
