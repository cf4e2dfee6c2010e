// => STATEMENTS or ALLOCATION
for (let i = 0; ; i++) globalThis[`n${i}`] = i
