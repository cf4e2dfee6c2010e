// => SIZE
Array.from({ length: 2 ** 53 - 1 }, Math.abs)
