// => SIZE
new ArrayBuffer(8, { maxByteLength: 2 ** 40 }).resize(2 ** 40)
