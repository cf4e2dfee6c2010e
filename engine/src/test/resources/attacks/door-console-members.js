// => undefined
typeof console.log.getClass
