// => RUNTIME
(async () => (await import({ toString() { return '/etc/passwd' } })).default)()
