// => STATEMENTS
(async () => ({ get then() { for (;;); } }))()
