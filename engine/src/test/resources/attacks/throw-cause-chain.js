// => STATEMENTS
let e = new Error('x'); for (let i = 0; i < 1e5; i++) e = { __proto__: Error.prototype, cause: e }; throw new Error('y', { cause: e })
