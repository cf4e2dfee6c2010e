// => LIMIT
[...(function* () { for (;;) yield 1 })()]
