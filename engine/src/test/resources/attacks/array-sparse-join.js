// => SIZE
new Array(2 ** 32 - 1).join('x')
