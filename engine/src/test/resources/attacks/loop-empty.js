// => LIMIT
for (;;);
