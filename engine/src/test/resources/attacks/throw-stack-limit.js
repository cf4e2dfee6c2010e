// => RUNTIME
Error.stackTraceLimit = 0;
null.x
