// => TIMEOUT
sleep(10000)
