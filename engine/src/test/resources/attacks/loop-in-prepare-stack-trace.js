// => RUNTIME
Error.prepareStackTrace = () => { for (;;); };
null.x
