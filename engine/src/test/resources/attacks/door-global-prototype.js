// => undefined
let p = globalThis; const seen = []; while ((p = Object.getPrototypeOf(p))) seen.push(typeof p.getClass); seen.filter(it => it !== 'undefined').join() || undefined
