// => ALLOCATION or TIME
try { bag.length = 2 ** 31 - 1 } catch { } try { bag[1e9] = 1 } catch { } bag.length < 1e6 ? 1 : 'grown'
