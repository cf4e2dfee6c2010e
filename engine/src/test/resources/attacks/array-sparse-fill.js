// => TIME or ALLOCATION
new Array(2 ** 32 - 1).fill(0).length
