// => 1
try { Array.prototype.fill.call(bag, 1, 0, 2 ** 31) } catch { } try { Array.prototype.copyWithin.call(bag, 1e9, 0) } catch { } bag.length < 1e6 ? 1 : 'grown'
