// => RUNTIME
const e = new Error('x'); e.message = { toString() { for (;;); } }; Object.defineProperty(e, 'name', { get() { for (;;); } }); throw e
