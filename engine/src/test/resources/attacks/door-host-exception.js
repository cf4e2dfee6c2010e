// => undefined
try { svc.boom() } catch (e) { [typeof e.getClass, typeof e.getStackTrace, typeof e.printStackTrace, typeof e.getCause].filter(it => it !== 'undefined').join() || undefined }
