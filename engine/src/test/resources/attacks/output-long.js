// => OUTPUT
console.log('x'.repeat(1e7))
