// => any
Promise.prototype.then = () => { for (;;); }; 1
