// => STATEMENTS
f({ get x() { for (;;); } })
