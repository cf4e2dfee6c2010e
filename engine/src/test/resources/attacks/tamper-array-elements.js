// => STATEMENTS
Object.defineProperty(Array.prototype, '0', { get() { for (;;); }, set() { for (;;); }, configurable: true }); console.log([], {}); [1]
