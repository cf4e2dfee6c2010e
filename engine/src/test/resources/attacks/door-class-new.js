// => RUNTIME
new type('x')
