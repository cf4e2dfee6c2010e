// => RUNTIME
(async () => await import('/etc/passwd'))()
