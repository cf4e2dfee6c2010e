// => undefined
const o = {}; (Error.captureStackTrace || (() => 1))(o); let host; try { svc.boom() } catch (e) { host = e.stack }
/blockscope\.|truffle|graalvm|\.java|polyglot/.test(String(o.stack) + String(host) + new Error('x').stack) || undefined
