// => undefined
[typeof error.getClass, typeof error.getStackTrace, typeof error.stackTrace, typeof error.printStackTrace, typeof error.getCause,
 typeof error.addSuppressed, typeof error.suppressed, typeof error.initCause, typeof error.class].filter(it => it !== 'undefined').join() || undefined
