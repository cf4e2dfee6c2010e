// => any
throw 'x'.repeat(2 ** 28)
