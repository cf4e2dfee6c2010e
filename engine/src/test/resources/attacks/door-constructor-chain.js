// => undefined
typeof svc.constructor.constructor('return this')().Java
