// => undefined
typeof Object.getPrototypeOf(svc).getClass
