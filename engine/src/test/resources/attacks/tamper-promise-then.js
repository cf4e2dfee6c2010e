// => 1
Promise.prototype.then = () => { for (;;); }; 1
