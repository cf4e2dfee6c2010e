// => RUNTIME
load({ name: 'x', script: 'this' })
