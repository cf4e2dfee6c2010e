// => true
const t = s => s, a = t`x`; try { a.evil = 1; a.raw.evil = 1 } catch { } Object.isFrozen(a) && a.evil === undefined && a instanceof Array
