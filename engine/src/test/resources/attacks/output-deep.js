// => undefined or RESULT_DEPTH
let o = {}; for (let i = 0; i < 5000; i++) o = { o }; console.log(o)
