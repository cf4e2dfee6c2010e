// => RUNTIME
throw Object.create(null)
