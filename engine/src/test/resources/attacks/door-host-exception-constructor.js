// => undefined
try { svc.boom() } catch (e) { typeof e.constructor.forName }
