// => LIMIT
try { for (;;); } finally { for (;;); }
