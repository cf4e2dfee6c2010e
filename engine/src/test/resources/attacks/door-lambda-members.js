// => undefined
[typeof f.apply.getClass, typeof f.andThen, typeof f.compose, typeof f.getClass].filter(it => it !== 'undefined').join() || undefined
