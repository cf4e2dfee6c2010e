// => {o=(this Map)}
const o = {}; o.o = o; o
