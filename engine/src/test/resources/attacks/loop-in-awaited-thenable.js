// => STATEMENTS
(async () => await { then() { for (;;); } })()
