// => TIMEOUT
let b = 3n; for (;;) b *= b
