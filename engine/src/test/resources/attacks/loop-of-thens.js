// => STATEMENTS
const again = () => Promise.resolve().then(again); again()
