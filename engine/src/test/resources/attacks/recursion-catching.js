// => RECURSION
function r() { try { r() } catch (e) { r() } } r()
