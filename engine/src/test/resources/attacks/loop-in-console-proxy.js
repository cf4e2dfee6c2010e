// => STATEMENTS
console.log(new Proxy({}, { ownKeys() { for (;;); } })); console.table(new Proxy([], { get() { for (;;); } })); 1
