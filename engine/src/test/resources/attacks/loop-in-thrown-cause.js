// => RUNTIME
const e = new Error('x'); Object.defineProperty(e, 'cause', { get() { for (;;); } }); throw e
