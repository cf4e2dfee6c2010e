// => undefined
try { hash[Symbol.iterator] = 1 } catch { } try { hash.__proto__ = { evil: 1 } } catch { } try { hash.constructor.constructor('return 1')() } catch { } try { delete hash.a } catch { } ({}).evil
