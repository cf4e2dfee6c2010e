// => STATEMENTS
Object.defineProperty(globalThis, 'k', { get() { for (;;); }, configurable: true }); 1
