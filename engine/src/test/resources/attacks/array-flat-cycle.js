// => STACK or ALLOCATION
const a = []; a.push(a, a); a.flat(Infinity)
