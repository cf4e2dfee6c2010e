// => undefined
typeof (0, eval)('this').Java
