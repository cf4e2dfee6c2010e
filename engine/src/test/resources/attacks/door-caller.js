// => undefined
function g() { try { return typeof g.caller } catch (e) { return 'undefined' } } g() === 'undefined' || g() === 'object' ? undefined : g()
