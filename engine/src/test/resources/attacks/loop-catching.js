// => STATEMENTS
for (;;) { try { for (;;); } catch (e) {} finally { continue } }
