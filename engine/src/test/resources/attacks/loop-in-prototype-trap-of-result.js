// => LIMIT
new Proxy({}, { getPrototypeOf() { for (;;); }, ownKeys() { for (;;); } })
