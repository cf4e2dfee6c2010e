// => any
const f = () => 1; Object.defineProperty(f, 'name', { get() { for (;;); } }); f
