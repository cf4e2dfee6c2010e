// => RESULT_SIZE
new Proxy([], { get: (t, k) => k === 'length' ? 2 ** 32 - 1 : 1 })
