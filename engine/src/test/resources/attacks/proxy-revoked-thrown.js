// => RUNTIME
const r = Proxy.revocable({}, {}); r.revoke(); throw r.proxy
