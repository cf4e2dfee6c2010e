// => STATEMENTS
(async () => { for await (const x of (async function* () { for (;;) yield 1 })()); })()
