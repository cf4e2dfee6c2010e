// => STATEMENTS
try { for (;;); } finally { for (;;); }
