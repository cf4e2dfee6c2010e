// => undefined
[typeof row.getClass, typeof row.hashCode].filter(it => it !== 'undefined').join() || undefined
