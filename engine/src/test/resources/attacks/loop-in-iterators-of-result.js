// => STATEMENTS
Map.prototype.entries = Map.prototype[Symbol.iterator] = Map.prototype.forEach = Set.prototype[Symbol.iterator] = Set.prototype.values = Array.prototype[Symbol.iterator] = function* () { for (;;) yield [1, 2] };
[new Map([[1, 2]]), new Set([1]), [1]]
