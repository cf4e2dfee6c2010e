// => RUNTIME
new Proxy({}, { ownKeys: () => ['a', 'b'], getOwnPropertyDescriptor: () => ({ value: 1, configurable: true, enumerable: true }), get: () => { throw 1 }, has: () => false })
