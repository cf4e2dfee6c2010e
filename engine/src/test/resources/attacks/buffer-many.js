// => ALLOCATION
const s = []; for (;;) s.push(new ArrayBuffer(2 ** 20))
