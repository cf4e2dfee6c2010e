// => ALLOCATION
const s = []; for (;;) s.push('x'.repeat(1e5) + s.length)
