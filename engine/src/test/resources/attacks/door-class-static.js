// => undefined
[typeof type.static.join, typeof type.static.format, typeof type.static.getClass].filter(it => it !== 'undefined').join() || undefined
