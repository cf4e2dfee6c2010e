// => RESULT_SIZE
'x'.repeat(5_000_000)
