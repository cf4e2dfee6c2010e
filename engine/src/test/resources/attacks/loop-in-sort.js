// => STATEMENTS
[3, 2, 1].sort(() => { for (;;); })
