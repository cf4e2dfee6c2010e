// => STATEMENTS
class P extends Promise { static get [Symbol.species]() { for (;;); } } P.resolve(1).then(() => 1)
