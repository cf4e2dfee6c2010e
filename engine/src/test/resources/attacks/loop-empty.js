// => STATEMENTS
for (;;);
