// => any
throw { toString() { for (;;); } }
