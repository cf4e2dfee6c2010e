// => RECURSION or STACK
function r() { return each(r) } r()
