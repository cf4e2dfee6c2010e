// => LIMIT
'x'.repeat(5_000_000)
