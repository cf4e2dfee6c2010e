// => TIME or ALLOCATION
(3n ** 3000000n).toString().length
