// => any
Object.freeze(globalThis); 1
