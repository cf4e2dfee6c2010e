// => STATEMENTS
new Proxy({}, { ownKeys() { for (;;); } })
