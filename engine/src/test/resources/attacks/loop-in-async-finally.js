// => STATEMENTS
(async () => { try { await null; for (;;); } finally { for (;;) await null } })()
