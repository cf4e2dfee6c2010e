// => LIMIT
(async () => { for (;;) await null })()
