// => STATEMENTS
eval('for (;;);')
