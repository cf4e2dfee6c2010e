// => undefined
typeof svc[Symbol.toPrimitive]
