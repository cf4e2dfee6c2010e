// => false
new RegExp('(a{1000}){1000}'.repeat(3)).test('a')
