// => STACK
eval('['.repeat(50000))
