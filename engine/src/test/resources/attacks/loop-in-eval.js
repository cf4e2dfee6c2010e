// => LIMIT
eval('for (;;);')
