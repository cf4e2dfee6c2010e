// => TIME or ALLOCATION or SIZE
let b = 3n; for (;;) b *= b
