// => RUNTIME
const r = Proxy.revocable({}, {}); r.revoke(); console.log(r.proxy, [r.proxy]); console.table([r.proxy]); f(r.proxy)
