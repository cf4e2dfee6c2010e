// => STATEMENTS
bag.push(new Proxy({}, { ownKeys() { for (;;); } }))
