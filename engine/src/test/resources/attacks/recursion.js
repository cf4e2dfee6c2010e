// => LIMIT
function r() { return r() + 1 } r()
