// => undefined
const names = []; with (new Proxy({}, { has(t, k) { names.push(String(k)); return false } })) { typeof Java; svc; map }
names.filter(it => !['Java', 'svc', 'map', 'names', 'Symbol(Symbol.unscopables)'].includes(it)).join() || undefined
