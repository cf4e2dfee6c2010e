// => 1,2,3,4
Object.prototype.get = Object.prototype.set = () => { for (;;); }; x = 1; let y = 2; globalThis.z = 3; eval('var w = 4'); globalThis.eval = 5; [x, y, z, w].join()
