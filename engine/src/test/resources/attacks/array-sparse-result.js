// => RESULT_SIZE
const s = []; s.length = 2 ** 32 - 1; s
