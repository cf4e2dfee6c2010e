// => LIMIT
with (new Proxy({}, { has() { for (;;); } })) x
