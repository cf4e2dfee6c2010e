// => LIMIT
bag.push(new Proxy({}, { ownKeys() { for (;;); } }))
