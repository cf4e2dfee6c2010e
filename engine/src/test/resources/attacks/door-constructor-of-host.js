// => function Object
svc.constructor === Object ? 'function Object' : String(svc.constructor)
