// => STATEMENTS
`${{ [Symbol.toPrimitive]() { for (;;); } }}`
