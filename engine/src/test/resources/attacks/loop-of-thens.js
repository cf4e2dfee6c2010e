// => STATEMENTS or ALLOCATION
const again = () => Promise.resolve().then(again); again()
