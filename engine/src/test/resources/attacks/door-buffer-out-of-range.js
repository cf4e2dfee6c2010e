// => 6
const out = []; for (const i of [-1, 4, 2 ** 31, 2 ** 53, NaN, 'x']) { try { out.push(bytes[i]); bytes[i] = 1 } catch (e) { out.push(e instanceof Error) } } out.length
