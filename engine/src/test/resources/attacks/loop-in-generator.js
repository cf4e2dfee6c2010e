// => STATEMENTS
[...(function* () { for (;;) yield 1 })()]
