// => 1
Object.setPrototypeOf(globalThis, null); 1
