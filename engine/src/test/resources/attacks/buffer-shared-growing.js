// => ALLOCATION
const all = []; for (;;) all.push(new SharedArrayBuffer(1e7, { maxByteLength: 1e8 }))
