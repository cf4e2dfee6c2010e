// => undefined
[typeof map.getClass, typeof map.entrySet, typeof map.computeIfAbsent].filter(it => it !== 'undefined').join() || undefined
