// => SIZE
2n ** (2n ** 40n)
