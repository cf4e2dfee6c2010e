// => undefined
typeof f.constructor('return typeof Java === "undefined" ? undefined : Java')()
