// => RECURSION
function r() { return each(r) } r()
