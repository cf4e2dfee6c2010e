// => LIMIT
function r() { return each(r) } r()
