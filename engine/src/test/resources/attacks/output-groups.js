// => OUTPUT
for (;;) { console.group('x'.repeat(100)); console.count(`l${Math.random()}`); console.time(`t${Math.random()}`) }
