// => RUNTIME
throw { toString() { for (;;); } }
