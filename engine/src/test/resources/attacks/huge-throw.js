// => RUNTIME or TIME
throw 'x'.repeat(1e7)
