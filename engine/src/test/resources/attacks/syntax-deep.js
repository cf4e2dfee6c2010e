// => STACK
eval('('.repeat(20000) + ')'.repeat(20000))
