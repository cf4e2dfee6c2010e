// => RESULT_SIZE
let a = [1]; for (let i = 0; i < 60; i++) a = [a, a]; a
