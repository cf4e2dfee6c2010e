// => ALLOCATION
throw 'x'.repeat(2 ** 28)
