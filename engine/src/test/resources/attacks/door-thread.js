// => RUNTIME
new Worker('for(;;);')
