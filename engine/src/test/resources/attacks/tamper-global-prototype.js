// => any
Object.setPrototypeOf(globalThis, null); 1
