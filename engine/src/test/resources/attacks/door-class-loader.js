// => undefined
[typeof type.getClassLoader, typeof type.classLoader, typeof type.class].filter(it => it !== 'undefined').join() || undefined
