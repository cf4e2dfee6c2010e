// => LIMIT
const o = { toString() { return `${o}` } }; `${o}`
