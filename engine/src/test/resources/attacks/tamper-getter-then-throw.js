// => RUNTIME or STATEMENTS
Object.defineProperty(globalThis, 'k', { get() { for (;;); }, configurable: true }); throw 1
