// => 1
const b = new Uint8Array(bytes.buffer || bytes); b[0] = 7; b.length > 4 ? [b[5], b[1e6]].join() : 1
