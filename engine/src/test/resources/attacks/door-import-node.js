// => RUNTIME
(async () => (await import('node:fs')).readFileSync('/etc/passwd'))()
