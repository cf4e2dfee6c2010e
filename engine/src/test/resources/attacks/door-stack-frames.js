// => undefined
Error.prepareStackTrace = (e, frames) => frames; const s = new Error('x').stack; const one = Array.isArray(s) ? s[0] : {}; typeof (one.getThis && one.getThis() && one.getThis().Java)
