// => /x/
RegExp.prototype.toString = () => { for (;;); }; Object.defineProperty(RegExp.prototype, 'source', { get() { for (;;); } }); /x/
