// => LIMIT
new Proxy({}, { ownKeys() { for (;;); } })
