// => any
Object.defineProperty(globalThis, 'k', { get() { for (;;); }, configurable: true }); throw 1
