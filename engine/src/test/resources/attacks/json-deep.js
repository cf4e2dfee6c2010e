// => RUNTIME
JSON.parse('['.repeat(5000) + ']'.repeat(5000))
