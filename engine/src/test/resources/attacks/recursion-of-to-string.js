// => RECURSION
const o = { toString() { return `${o}` } }; `${o}`
