// => OUTPUT
for (;;) console.log('0123456789')
