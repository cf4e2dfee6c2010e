// => STATEMENTS
new Proxy({ a: 1 }, { getOwnPropertyDescriptor() { for (;;); } })
