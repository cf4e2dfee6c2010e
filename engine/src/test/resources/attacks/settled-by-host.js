// => STATEMENTS or ALLOCATION
new Promise((done) => { for (;;) f(done) })
