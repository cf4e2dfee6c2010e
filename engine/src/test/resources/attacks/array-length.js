// => SIZE
new Array(2 ** 32)
