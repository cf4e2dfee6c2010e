// => 1
Object.prototype.getClass = () => 'evil'; Array.prototype.join = () => 'evil'; 1
