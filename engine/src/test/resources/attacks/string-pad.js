// => SIZE
'x'.padEnd(2 ** 31)
