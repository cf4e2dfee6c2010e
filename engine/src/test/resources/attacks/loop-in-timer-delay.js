// => LIMIT
setTimeout(() => {}, { valueOf() { for (;;); } })
