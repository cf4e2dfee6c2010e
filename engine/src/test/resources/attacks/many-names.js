// => LIMIT
for (let i = 0; ; i++) globalThis[`n${i}`] = i
