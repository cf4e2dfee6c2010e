// => TIME
/^(a+)+\1$/.test('a'.repeat(40) + '!')
