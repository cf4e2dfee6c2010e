// => any
console.log({ get x() { for (;;); } })
