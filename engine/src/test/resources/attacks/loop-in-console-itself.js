// => 1 or TIME
const o = { get x() { console.log(o); return 1 }, toString() { console.log(`${o}`); return 'x' } }; console.log(o, '%s', o); 1
