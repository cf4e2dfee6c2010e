// => LIMIT
let n = 1n; for (;;) n = (n << 1000000n) * n
