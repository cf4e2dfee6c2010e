// => RUNTIME
throw Symbol('x')
