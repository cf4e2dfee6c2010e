// => 
try { svc.boom() } catch (e) { Object.getOwnPropertyNames(e).filter(it => it !== 'message').join() }
