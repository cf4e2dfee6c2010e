// => RUNTIME
Atomics.waitAsync ? Atomics.waitAsync(new Int32Array(new SharedArrayBuffer(4)), 0, 0).value : 1
