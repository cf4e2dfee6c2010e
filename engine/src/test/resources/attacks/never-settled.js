// => RUNTIME
(async () => await new Promise(() => {}))()
