// => RUNTIME
const b = new ArrayBuffer(64, { maxByteLength: 64 }), v = new Uint8Array(b), d = new DataView(b, 8), t = new Float64Array(b, 8);
({ get a() { b.resize(0); return 1 }, v, d, t, b })
