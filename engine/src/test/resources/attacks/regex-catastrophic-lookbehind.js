// => false
/(?<=^(a+)+)b\1$/.test('a'.repeat(40) + '!')
