// => 1 or TIME
try { new RegExp('('.repeat(1e5) + ')'.repeat(1e5)) } catch (e) { } try { new RegExp(`(?:a|b){${2 ** 31}}`) } catch { } 1
