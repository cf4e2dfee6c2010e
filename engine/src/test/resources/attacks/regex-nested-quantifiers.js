// => false
/^(a+)+$/.test('a'.repeat(32) + '!')
