// => undefined
typeof Object.getPrototypeOf(function* () {}).constructor('yield this.Java')().next().value
