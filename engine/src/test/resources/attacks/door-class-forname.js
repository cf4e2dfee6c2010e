// => undefined
typeof type.forName
