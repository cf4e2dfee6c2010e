// => undefined
[svc, f, bytes, list, map, row, error, type].map(it => { try { return it.__proto__ } catch { } })
  .filter(it => it && it !== Object.prototype && it !== Function.prototype && it !== Array.prototype)
  .flatMap(it => Reflect.ownKeys(it).map(String)).filter(it => !/^Symbol/.test(it) && it !== 'constructor').join() || undefined
