// => undefined
[typeof list.getClass, typeof list.stream, typeof list.iterator, typeof list.parallelStream].filter(it => it !== 'undefined').join() || undefined
