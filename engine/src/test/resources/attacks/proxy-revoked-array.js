// => any
const r = Proxy.revocable([], {}), q = Proxy.revocable(() => 1, {}); r.revoke(); q.revoke(); x = r.proxy; ({ a: q.proxy })
