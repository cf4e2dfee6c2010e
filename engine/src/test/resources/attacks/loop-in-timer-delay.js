// => STATEMENTS
setTimeout(() => {}, { valueOf() { for (;;); } })
