// => any
const o = {}; o.o = o; o
