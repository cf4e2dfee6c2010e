// => LIMIT
f({ get x() { for (;;); } })
