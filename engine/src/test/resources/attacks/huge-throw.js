// => any
throw 'x'.repeat(1e7)
