// => ALLOCATION
throw new Error('x'.repeat(2 ** 28))
