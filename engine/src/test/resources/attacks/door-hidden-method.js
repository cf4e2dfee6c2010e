// => undefined
[typeof svc.hidden, typeof svc.secret, typeof svc.wait, typeof svc.notify].filter(it => it !== 'undefined').join() || undefined
