// => TIME or ALLOCATION or SIZE
let n = 1n; for (;;) n = (n << 1000000n) * n
