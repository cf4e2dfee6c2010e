// => STATEMENTS
with (new Proxy({}, { has() { for (;;); } })) x
