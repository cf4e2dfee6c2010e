// => RUNTIME
const r = Proxy.revocable({}, {}); r.revoke(); r.proxy
