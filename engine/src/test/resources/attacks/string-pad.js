// => LIMIT
'x'.padEnd(2 ** 31)
