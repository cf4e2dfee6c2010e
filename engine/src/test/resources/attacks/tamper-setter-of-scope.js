// => 1
const proxy = Object.getPrototypeOf(globalThis); Reflect.set(proxy, 'x', 1, {}); Reflect.defineProperty(proxy, 'y', { get() { for (;;); } }); Object.setPrototypeOf(proxy, null); Object.preventExtensions(proxy); 1
