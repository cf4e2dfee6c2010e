// => undefined
svc['x'.repeat(1e6)]
