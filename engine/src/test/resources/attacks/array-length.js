// => LIMIT
new Array(2 ** 32)
