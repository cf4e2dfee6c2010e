// => 1
Object.freeze(globalThis); 1
