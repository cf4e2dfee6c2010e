// => TIME or STATEMENTS or ALLOCATION
const s = 'a'.repeat(1e5); Array.from({ length: 1e4 }, (_, i) => s.slice(i)).sort().length; for (;;);
