// => RUNTIME
const b = new ArrayBuffer(64), v = new Uint8Array(b), d = new DataView(b); b.transfer(); [v, d, b]
