// => RUNTIME
(async () => (await import('/etc/passwd', { with: { type: 'json' } })).default)()
