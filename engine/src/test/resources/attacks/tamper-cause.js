// => RUNTIME
Object.defineProperty(Object.prototype, 'cause', { get() { for (;;); } }); Object.defineProperty(Object.prototype, 'errors', { get() { for (;;); } }); null.x
