// => TIMEOUT
(3n ** 3000000n).toString().length
