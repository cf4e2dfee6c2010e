// => undefined
console.log({ get x() { for (;;); } })
