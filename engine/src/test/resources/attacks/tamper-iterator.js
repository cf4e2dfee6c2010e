// => 1
Array.prototype[Symbol.iterator] = function* () { for (;;) yield 1 }; 1
