// => undefined
[svc, f, error, bytes, list, map, row, type].map(it => typeof it.getClass).filter(it => it !== 'undefined').join() || undefined
