// => any
Error.prepareStackTrace = () => { for (;;); };
null.x
