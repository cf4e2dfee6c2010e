// => LIMIT
`${{ [Symbol.toPrimitive]() { for (;;); } }}`
