// => LIMIT
(async () => await { then() { for (;;); } })()
