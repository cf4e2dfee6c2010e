// => LIMIT
map[{ toString() { for (;;); } }]
