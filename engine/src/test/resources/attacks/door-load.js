// => RUNTIME
load('/etc/passwd')
