// => undefined
const bound = Function.prototype.bind.call(f, null, 1);
[typeof bound.getClass, typeof bound.apply.getClass, typeof Object.getOwnPropertyDescriptor(f, 'class'), typeof Reflect.get(svc, 'getClass'),
 typeof Object.getOwnPropertyDescriptor(svc, 'secret'), typeof Object.assign({}, svc).secret, typeof ({ ...svc }).hidden].filter(it => it !== 'undefined').join() || undefined
