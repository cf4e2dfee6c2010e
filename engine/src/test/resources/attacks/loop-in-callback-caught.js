// => STATEMENTS
for (;;) { try { each(() => { for (;;); }) } catch (e) {} }
