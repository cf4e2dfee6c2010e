// => SIZE
new Float64Array(2 ** 40)
