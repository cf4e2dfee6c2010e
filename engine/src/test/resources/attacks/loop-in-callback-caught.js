// => LIMIT
for (;;) { try { each(() => { for (;;); }) } catch (e) {} }
