// => any
throw { toString() { for (;;); }, get message() { for (;;); } }
