// => RESULT_DEPTH
let o = {}; for (let i = 0; i < 5000; i++) o = { o }; o
