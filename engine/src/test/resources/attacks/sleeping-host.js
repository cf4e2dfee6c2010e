// => TIME
sleep(10000)
