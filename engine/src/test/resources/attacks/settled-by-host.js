// => LIMIT
new Promise((done) => { for (;;) f(done) })
