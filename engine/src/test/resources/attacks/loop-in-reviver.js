// => STATEMENTS
JSON.parse('[1,2]', () => { for (;;); })
