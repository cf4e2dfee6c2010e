// => LIMIT
f(new Proxy([], { get() { for (;;); } }))
