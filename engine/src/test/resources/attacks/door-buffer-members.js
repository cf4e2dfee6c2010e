// => undefined
[typeof bytes.array, typeof bytes.order, typeof bytes.getClass].filter(it => it !== 'undefined').join() || undefined
