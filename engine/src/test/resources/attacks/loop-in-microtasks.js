// => STATEMENTS
(async () => { for (;;) await null })()
