// => STATEMENTS
const f2 = n => n ? f2(n - 1) + f2(n - 1) : 1; f2(60)
