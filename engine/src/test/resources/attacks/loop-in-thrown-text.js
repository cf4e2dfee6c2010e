// => RUNTIME
throw { toString() { for (;;); }, get message() { for (;;); } }
