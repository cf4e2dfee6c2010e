// => secret
/(secret)/.exec('a secret b'); RegExp.input = 'evil'; RegExp.$1
