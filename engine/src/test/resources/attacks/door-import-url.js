// => RUNTIME
(async () => await import('file:///etc/passwd'))()
