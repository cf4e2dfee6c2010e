// => 1
globalThis.Proxy = null; globalThis.Reflect = { get: () => 'evil' }; globalThis.Object = null; 1
