// => 1 or TIME
try { decodeURIComponent('%'.repeat(1e7)) } catch { } escape('x'.repeat(1e7)).length > 1 ? 1 : 0
