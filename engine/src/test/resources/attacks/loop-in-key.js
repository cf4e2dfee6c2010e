// => STATEMENTS
map[{ toString() { for (;;); } }]
