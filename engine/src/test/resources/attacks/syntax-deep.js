// => any-or-syntax
eval('('.repeat(20000) + ')'.repeat(20000))
