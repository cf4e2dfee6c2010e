// => undefined
[typeof error.getStackTrace, typeof error.getCause, typeof error.addSuppressed].filter(it => it !== 'undefined').join() || undefined
