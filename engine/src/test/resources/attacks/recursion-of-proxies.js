// => RECURSION
const p = new Proxy({}, { get: (t, k) => p[k] }); p.x
