// => 1 or TIME
'\u0344'.repeat(1e6).normalize('NFKD').length > 1 ? 1 : 0
