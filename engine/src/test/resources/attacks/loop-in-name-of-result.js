// => function of block block.js:1:1
const f = () => 1; Object.defineProperty(f, 'name', { get() { for (;;); } }); f
