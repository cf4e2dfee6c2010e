// => RESULT_SIZE
for (let i = 0; ; i++) hash[`k${i}`] = 'x'.repeat(1e5)
