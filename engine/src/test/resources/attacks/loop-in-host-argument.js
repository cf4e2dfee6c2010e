// => STATEMENTS
f(new Proxy([], { get() { for (;;); } }))
