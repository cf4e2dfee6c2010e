// => STATEMENTS
new Proxy({}, { getPrototypeOf() { for (;;); }, ownKeys() { for (;;); } })
