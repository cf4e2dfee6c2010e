// => RECURSION
function r() { return r() + 1 } r()
