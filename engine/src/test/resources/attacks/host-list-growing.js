// => RESULT_SIZE
for (;;) bag.push('x'.repeat(1e5) + bag.length)
