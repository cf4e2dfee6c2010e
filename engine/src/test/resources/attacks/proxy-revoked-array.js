// => RUNTIME or {a=function of block block.js:1:1}
const r = Proxy.revocable([], {}), q = Proxy.revocable(() => 1, {}); r.revoke(); q.revoke(); x = r.proxy; ({ a: q.proxy })
