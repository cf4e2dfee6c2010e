// => any-or-syntax
eval('['.repeat(50000))
