// => SIZE
Array.from({ length: 2 ** 40 })
