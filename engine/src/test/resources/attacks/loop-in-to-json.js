// => STATEMENTS
JSON.stringify({ toJSON() { for (;;); } })
