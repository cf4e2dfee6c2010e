// => RUNTIME
new type.static('x')
