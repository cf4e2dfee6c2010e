// => LIMIT
JSON.stringify({ toJSON() { for (;;); } })
