// => 3
Object.prototype.value = 'evil'; Object.prototype.writable = false; Object.prototype.configurable = false; globalThis.z = 3; globalThis.eval = 4; z
