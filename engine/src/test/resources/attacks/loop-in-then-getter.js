// => LIMIT
(async () => ({ get then() { for (;;); } }))()
