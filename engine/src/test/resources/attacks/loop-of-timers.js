// => TIME
(async () => await new Promise(() => { const again = () => setTimeout(again, 0); again() }))()
