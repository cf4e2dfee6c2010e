// => undefined
(async () => typeof (await Object.getPrototypeOf(async () => {}).constructor('return this.Java')()))()
